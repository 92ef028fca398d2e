import type { EngineState } from '#server/core/engine.ts';
import type { PlainCause } from '#server/core/number/cause.ts';

export type EndState = Extract<
  EngineState,
  { state: 'logged_out' | 'conflict' | 'blocked' | 'unfit' | 'gone' }
>;

/** WhatsApp refuses the number until a person acts. */
const BLOCKED: Readonly<Record<string, PlainCause>> = {
  TOS_BLOCK: 'terms_blocked',
  SMB_TOS_BLOCK: 'business_terms_blocked',
  PROXYBLOCK: 'address_blocked',
};

/** Connecting or connected. */
const NOT_ENDED = ['UNLAUNCHED', 'OPENING', 'PAIRING', 'CONNECTED', 'TIMEOUT'];

/** Does a page in this state wait for a phone to link it? */
export function waitsForPhone(socketState: string): boolean {
  return socketState === 'UNPAIRED' || socketState === 'UNPAIRED_IDLE';
}

/** WhatsApp Web has ended the session for this reason of its own. */
export const endedByPage = (detail: string) => ({ reason: 'ended by WhatsApp Web', detail });

/**
 * The end that a page's socket state, or the library's reason for `disconnected`, means; null if the session continues.
 * A linked page in UNPAIRED, or in an unknown state, is `gone` and not logged out: the next start shows which it is,
 * and a false "logged out" would need a person to fix it.
 */
export function endOf(reason: string): EndState | null {
  if (NOT_ENDED.includes(reason)) return null;
  if (reason === 'LOGOUT') return { state: 'logged_out', reason: null };
  if (reason === 'CONFLICT') return { state: 'conflict' };
  const blocked = BLOCKED[reason];
  return blocked
    ? { state: 'blocked', cause: { code: blocked }, until: null }
    : { state: 'gone', ...endedByPage(reason) };
}

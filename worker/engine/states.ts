import type { EngineState } from '#server/core/engine.ts';
import { logoutCause } from '#server/core/logout-cause.ts';

export type EndState = Extract<
  EngineState,
  { state: 'logged_out' | 'conflict' | 'blocked' | 'unfit' | 'gone' }
>;

/** WhatsApp refuses the number until a person acts. For the number's owner. */
const BLOCKED: Readonly<Record<string, string>> = {
  TOS_BLOCK: 'WhatsApp has blocked this number for breaking its terms of service.',
  SMB_TOS_BLOCK: 'WhatsApp has blocked this business account for breaking its terms of service.',
  PROXYBLOCK: "WhatsApp refuses connections from this server's network address.",
};

/** Connecting or connected. */
const NOT_ENDED = ['UNLAUNCHED', 'OPENING', 'PAIRING', 'CONNECTED', 'TIMEOUT'];

/** Does a page in this state wait for a phone to link it? */
export function waitsForPhone(socketState: string): boolean {
  return socketState === 'UNPAIRED' || socketState === 'UNPAIRED_IDLE';
}

/**
 * The end that a page's socket state, or the library's reason for `disconnected`, means; null if the session continues.
 * A linked page in UNPAIRED, or in an unknown state, is `gone` and not logged out: the next start shows which it is,
 * and a false "logged out" would need a person to fix it.
 */
export function endOf(reason: string): EndState | null {
  if (NOT_ENDED.includes(reason)) return null;
  if (reason === 'LOGOUT') return { state: 'logged_out', cause: logoutCause(null) };
  if (reason === 'CONFLICT') return { state: 'conflict' };
  const blocked = BLOCKED[reason];
  return blocked
    ? { state: 'blocked', reason: blocked, until: null }
    : { state: 'gone', reason: `WhatsApp Web: ${reason}` };
}

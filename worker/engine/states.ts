import type { EngineState } from '#server/core/engine.ts';
import { logoutCause } from '#server/core/logout-cause.ts';

/** The states that end a session. */
export type EndState = Extract<EngineState, { state: 'logged_out' | 'conflict' | 'blocked' | 'gone' }>;

/** Refused by WhatsApp until somebody does something about it, in words for the number's owner. */
const BLOCKED: Readonly<Record<string, string>> = {
  TOS_BLOCK: 'WhatsApp has blocked this number for breaking its terms of service.',
  SMB_TOS_BLOCK: 'WhatsApp has blocked this business account for breaking its terms of service.',
  PROXYBLOCK: "WhatsApp refuses connections from this server's network address.",
};

/** On the way to being connected, or there. */
const UNDER_WAY = ['UNLAUNCHED', 'OPENING', 'PAIRING', 'CONNECTED', 'TIMEOUT'];

/** A page that is not linked waits for a phone in these. */
export function waitsForPhone(socketState: string): boolean {
  return socketState === 'UNPAIRED' || socketState === 'UNPAIRED_IDLE';
}

/**
 * What a page's socket state, or the library's reason for `disconnected`, means for a session; null when it
 * goes on. A linked page that says UNPAIRED is `gone`, not logged out: the next start shows which it is, and
 * a false "logged out" would need a person to mend it. The same holds for whatever is not known here.
 */
export function endOf(reason: string): EndState | null {
  if (UNDER_WAY.includes(reason)) return null;
  if (reason === 'LOGOUT') return { state: 'logged_out', cause: logoutCause(null) };
  if (reason === 'CONFLICT') return { state: 'conflict' };
  const blocked = BLOCKED[reason];
  return blocked
    ? { state: 'blocked', reason: blocked, until: null }
    : { state: 'gone', reason: `WhatsApp Web: ${reason}` };
}

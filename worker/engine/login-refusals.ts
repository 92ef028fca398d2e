import type { EngineState } from '#server/core/engine.ts';
import type { Cause } from '#server/core/number/cause.ts';

/** A refused login, as the page receives it. */
export interface LoginRefusal {
  /** WhatsApp's code, as text. */
  reason: string;
  /** The code of a ban's reason. */
  code?: string | undefined;
  /** The seconds left of a ban. */
  expireSeconds?: number | undefined;
}

export type RefusalMeaning =
  /** The page retries automatically. */
  | { kind: 'waiting'; cause: Cause }
  /** The page reloads. */
  | { kind: 'reloading'; cause: Cause }
  /** A person has to act, or time has to pass. `linkGone`: the stored session is no longer valid. */
  | { kind: 'blocked'; state: Extract<EngineState, { state: 'blocked' }>; linkGone: boolean }
  /** The server no longer knows the link. */
  | { kind: 'logged_out' };

/** The page reloads to get a newer version, and WhatsApp refuses that one too. */
export const OUTDATED: Extract<EngineState, { state: 'blocked' }> = {
  state: 'blocked',
  cause: { code: 'outdated' },
  until: null,
};

export function classifyRefusal(
  { reason, code = '', expireSeconds }: LoginRefusal,
  nowMs: number,
): RefusalMeaning {
  switch (reason) {
    case '401':
      return { kind: 'logged_out' };
    case '402': {
      const until = expireSeconds ? nowMs + expireSeconds * 1000 : null;
      const ends = until === null ? null : new Date(until).toISOString();
      const cause: Cause = { code: 'ban', why: code, until: ends, startsAgain: false };
      return { kind: 'blocked', state: { state: 'blocked', cause, until }, linkGone: false };
    }
    case '403':
      return blockedPermanently('locked');
    case '405':
    case '409':
      return { kind: 'reloading', cause: { code: 'newer_page' } };
    case '406':
      return blockedPermanently('banned');
    case '503':
      return { kind: 'waiting', cause: { code: 'service_unavailable' } };
    default:
      return { kind: 'waiting', cause: { code: 'login_refused', status: reason } };
  }
}

function blockedPermanently(code: 'locked' | 'banned'): RefusalMeaning {
  return { kind: 'blocked', state: { state: 'blocked', cause: { code }, until: null }, linkGone: true };
}

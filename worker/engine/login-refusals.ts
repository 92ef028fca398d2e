import type { EngineState } from '#server/core/engine.ts';
import { LINK_ENDED } from '#server/core/link-ended.ts';

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
  | { kind: 'waiting'; words: string }
  /** The page reloads. */
  | { kind: 'reloading'; words: string }
  /** A person has to act, or time has to pass. `linkGone`: the stored session is no longer valid. */
  | { kind: 'blocked'; state: Extract<EngineState, { state: 'blocked' }>; linkGone: boolean }
  /** The server no longer knows the link. */
  | { kind: 'logged_out' };

const BANNED_FOR: Readonly<Record<string, string>> = {
  '101': 'sending too many messages to people who do not have this number among their contacts',
  '102': 'being blocked by too many people',
  '103': 'making too many groups with people who do not have this number among their contacts',
  '104': 'sending the same message to too many people',
  '106': 'sending too many messages to broadcast lists',
};

/** The page reloads to get a newer version, and WhatsApp refuses that one too. */
export const OUTDATED: Extract<EngineState, { state: 'blocked' }> = {
  state: 'blocked',
  reason:
    'WhatsApp refuses this version of WhatsApp Web or of the browser as too old. The administrator of this server should update Wirebird; then try again.',
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
      const why = BANNED_FOR[code] ?? 'breaking its terms of service';
      const until = expireSeconds ? nowMs + expireSeconds * 1000 : null;
      const words = `WhatsApp has banned this number for a while for ${why}. Do not try earlier: that can make the ban longer.`;
      return { kind: 'blocked', state: { state: 'blocked', reason: words, until }, linkGone: false };
    }
    case '403':
      return blockedPermanently(LINK_ENDED.locked);
    case '405':
    case '409':
      return {
        kind: 'reloading',
        words: 'WhatsApp asks for a newer version of its page. The page is loading it.',
      };
    case '406':
      return blockedPermanently(LINK_ENDED.banned);
    case '503':
      return {
        kind: 'waiting',
        words: 'WhatsApp’s service is unavailable right now (503). The number reconnects automatically.',
      };
    default:
      return {
        kind: 'waiting',
        words: `WhatsApp’s server refuses the connection right now (${reason}). The number reconnects automatically.`,
      };
  }
}

function blockedPermanently(reason: string): RefusalMeaning {
  return { kind: 'blocked', state: { state: 'blocked', reason, until: null }, linkGone: true };
}

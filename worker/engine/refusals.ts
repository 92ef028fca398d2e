import type { EngineState } from '#server/core/engine.ts';
import { LINK_ENDED } from '#server/core/link-ended.ts';

/** How WhatsApp refuses a login, as the page hears it. */
export interface Refusal {
  /** WhatsApp's number for it, as text. */
  reason: string;
  /** Of a ban: what for. */
  code?: string | undefined;
  /** Of a ban: seconds left. */
  expireSeconds?: number | undefined;
}

/** What a refusal is for a session. */
export type Judgement =
  /** The page tries again by its own steps. */
  | { kind: 'waiting'; words: string }
  /** The page loads itself again. */
  | { kind: 'reloading'; words: string }
  /** A person has to act, or time has to pass. `linkGone`: the stored session is worth nothing any more. */
  | { kind: 'blocked'; state: Extract<EngineState, { state: 'blocked' }>; linkGone: boolean }
  /** The server does not know the link any more. */
  | { kind: 'logged_out' };

const BANNED_FOR: Readonly<Record<string, string>> = {
  '101': 'sending too many messages to people who do not have this number among their contacts',
  '102': 'being blocked by too many people',
  '103': 'making too many groups with people who do not have this number among their contacts',
  '104': 'sending the same message to too many people',
  '106': 'sending too many messages to broadcast lists',
};

/** The page loads itself again for a newer version, and WhatsApp refuses that, too. */
export const OUTDATED: Extract<EngineState, { state: 'blocked' }> = {
  state: 'blocked',
  reason:
    'WhatsApp refuses this version of WhatsApp Web or of the browser as too old. The operator of this server should update Wirebird; then try again.',
  until: null,
};

export function judge({ reason, code = '', expireSeconds }: Refusal, nowMs: number): Judgement {
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
      return blockedForGood(LINK_ENDED.locked);
    case '405':
    case '409':
      return {
        kind: 'reloading',
        words: 'WhatsApp asks for a newer version of its page. The page is loading it.',
      };
    case '406':
      return blockedForGood(LINK_ENDED.banned);
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

function blockedForGood(reason: string): Judgement {
  return { kind: 'blocked', state: { state: 'blocked', reason, until: null }, linkGone: true };
}

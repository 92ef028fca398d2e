import type { Shape, Tone } from '#app/_components/glyph.tsx';
import { Glyph } from '#app/_components/glyph.tsx';
import { MESSAGE_TEXTS, NUMBER_TEXTS, PLAN_STOPPED_NAME } from '#app/_texts/states.ts';
import type { MessageStatus } from '#server/core/message-state.ts';
import type { NumberStatus } from '#server/core/number-state.ts';
import { Badge } from './ui/badge.tsx';

interface Sign {
  tone: Tone;
  shape: Shape;
  spin?: true;
}

export const NUMBER_SIGNS: Record<NumberStatus, Sign> = {
  UNLINKED: { tone: 'mute', shape: 'dashed' },
  LINKING: { tone: 'wait', shape: 'quarter' },
  SYNCING: { tone: 'wait', shape: 'most' },
  CONNECTED: { tone: 'ok', shape: 'done' },
  RECONNECTING: { tone: 'wait', shape: 'turning', spin: true },
  LOGGED_OUT: { tone: 'warn', shape: 'warning' },
  CONFLICT: { tone: 'warn', shape: 'elsewhere' },
  BLOCKED: { tone: 'fail', shape: 'cross' },
  SUSPENDED: { tone: 'mute', shape: 'pause' },
};

export const MESSAGE_SIGNS: Record<MessageStatus, Sign> = {
  queued: { tone: 'wait', shape: 'dashed' },
  sending: { tone: 'wait', shape: 'half' },
  sent: { tone: 'ok', shape: 'check' },
  delivered: { tone: 'ok', shape: 'checks' },
  read: { tone: 'brand', shape: 'checks' },
  failed: { tone: 'fail', shape: 'cross' },
  unknown: { tone: 'warn', shape: 'question' },
  expired: { tone: 'mute', shape: 'clock' },
  cancelled: { tone: 'mute', shape: 'slash' },
};

/** Does somebody have to act before this number sends again? */
export function needsSomebody(status: NumberStatus): boolean {
  return status === 'LOGGED_OUT' || status === 'CONFLICT' || status === 'BLOCKED';
}

export function NumberBadge({
  status,
  planStopped = false,
  percent,
}: {
  status: NumberStatus;
  /** Its session was stopped after the plan's end, so nothing restores it. */
  planStopped?: boolean;
  percent?: number | null;
}) {
  if (planStopped) return <Badge {...NUMBER_SIGNS.SUSPENDED}>{PLAN_STOPPED_NAME}</Badge>;
  const name = NUMBER_TEXTS[status].name;
  return (
    <Badge {...NUMBER_SIGNS[status]}>
      {status === 'SYNCING' && percent != null ? `${name} ${percent} %` : name}
    </Badge>
  );
}

export function NumberGlyph({ status }: { status: NumberStatus }) {
  return <Glyph {...NUMBER_SIGNS[status]} />;
}

export function MessageBadge({ status }: { status: MessageStatus }) {
  return <Badge {...MESSAGE_SIGNS[status]}>{MESSAGE_TEXTS[status].name}</Badge>;
}

/** In a row: quiet when well; only attention and failure colour the word. */
export function MessageState({ status }: { status: MessageStatus }) {
  const sign = MESSAGE_SIGNS[status];
  const loud = sign.tone === 'warn' || sign.tone === 'fail';
  return (
    <span
      className={`tone-${sign.tone} inline-flex items-center gap-[7px] align-middle text-13 font-medium whitespace-nowrap ${loud ? 'text-tone-fg' : ''}`}
    >
      <Glyph shape={sign.shape} />
      {MESSAGE_TEXTS[status].name}
    </span>
  );
}

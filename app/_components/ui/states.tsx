import type { AlertSign } from '#server/core/alert.ts';
import type { MessageStatus } from '#server/core/message-state.ts';
import { NUMBER_NAMES, type NumberSign } from '#server/core/number-sign.ts';
import { Badge } from './badge.tsx';
import { messageName, type ShownState } from './state-words.ts';
import type { Shape, Tone } from './status-icon.tsx';
import { StatusIcon } from './status-icon.tsx';

interface Sign {
  tone: Tone;
  shape: Shape;
  spin?: true;
}

export const NUMBER_SIGNS: Record<NumberSign, Sign> = {
  UNLINKED: { tone: 'mute', shape: 'dashed' },
  LINKING: { tone: 'wait', shape: 'quarter' },
  SYNCING: { tone: 'wait', shape: 'most' },
  CONNECTED: { tone: 'ok', shape: 'done' },
  RECONNECTING: { tone: 'wait', shape: 'turning', spin: true },
  LOGGED_OUT: { tone: 'warn', shape: 'warning' },
  CONFLICT: { tone: 'warn', shape: 'elsewhere' },
  BLOCKED: { tone: 'fail', shape: 'cross' },
  SUSPENDED: { tone: 'mute', shape: 'pause' },
  HELD: { tone: 'warn', shape: 'pause' },
  STOPPED: { tone: 'warn', shape: 'pause' },
  PLAN_STOPPED: { tone: 'mute', shape: 'pause' },
  TRIAL_STOPPED: { tone: 'mute', shape: 'pause' },
  EXCESS: { tone: 'warn', shape: 'warning' },
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

export function NumberBadge({ sign, percent }: { sign: NumberSign; percent?: number | null }) {
  const name = NUMBER_NAMES[sign];
  return (
    <Badge {...NUMBER_SIGNS[sign]}>
      {sign === 'SYNCING' && percent != null ? `${name} ${percent} %` : name}
    </Badge>
  );
}

export function NumberGlyph({ sign }: { sign: NumberSign }) {
  return <StatusIcon {...NUMBER_SIGNS[sign]} />;
}

export const alertSign = (sign: AlertSign): Sign => (typeof sign === 'string' ? NUMBER_SIGNS[sign] : sign);

export function MessageBadge(state: ShownState) {
  return <Badge {...MESSAGE_SIGNS[state.status]}>{messageName(state)}</Badge>;
}

/** For rows: only attention and failure colour the word. */
export function MessageState(state: ShownState) {
  const sign = MESSAGE_SIGNS[state.status];
  const loud = sign.tone === 'warn' || sign.tone === 'fail';
  return (
    <span
      className={`tone-${sign.tone} inline-flex items-center gap-[7px] align-middle text-13 font-medium whitespace-nowrap ${loud ? 'text-tone-fg' : ''}`}
    >
      <StatusIcon shape={sign.shape} />
      {messageName(state)}
    </span>
  );
}

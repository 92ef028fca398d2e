import type { Alert, AlertFacts } from './alert.ts';
import { inUtc } from './new-contacts.ts';

/** What the audit log says of a restore, and its alert. */
export interface RestoreFacts {
  /** When the backup was made. */
  madeAt: string;
  rows: number;
  /** The backup was made with `--move`. */
  moved: boolean;
  /** What was lost, as a person reads it: counted, or why it is not. */
  lost: string;
  /** How many messages became unknown and expired by the restore, and how many numbers must be linked again. */
  unknown: number;
  expired: number;
  toLink: number;
}

/** The kind of alert about a restore. Its detail is the {@link RestoreFacts}, as JSON. */
export const RESTORE_ALERTS = {
  restored: {
    topic: 'server',
    sign: { tone: 'warn', shape: 'turning' },
    page: '/admin/health',
    only: 'administrators',
    words: ({ detail }: Pick<AlertFacts, 'detail'>) => wordsOf(JSON.parse(detail ?? '{}')),
  },
} as const satisfies Record<string, Alert>;

function wordsOf({ madeAt, moved, lost, unknown, expired, toLink }: RestoreFacts) {
  const at = inUtc(new Date(madeAt), { seconds: true });
  const what = [
    moved
      ? `The backup was made with --move on ${at}. Lost${expired > 0 ? ' besides what expired' : ''}: ${lost}.`
      : `The backup was made on ${at}. The records of this are lost: ${lost}. Also lost: the log of requests, deliveries and reads of earlier messages, and other changes such as passwords and settings.`,
    unknown > 0 && `${counted(unknown, 'message is', 'messages are')} unknown and may have arrived.`,
    expired > 0 && `${counted(expired, 'message', 'messages')} expired and will not be sent.`,
    toLink > 0 && `${counted(toLink, 'number sends', 'numbers send')} nothing until linked again.`,
  ];
  const steps = [
    !moved &&
      'Keep the programs that send paused: repeating a request made since the backup can send its message twice.',
    toLink > 0 && 'Have each number linked again.',
    unknown > 0 && 'Before an unknown message is sent again, look at its chat on the phone that sends.',
    expired > 0 && 'Ask the owners to send again what expired and is still needed.',
    !moved &&
      `Ask customers to compare their requests after ${at} with the chats on their phones, and to repeat only what is in no chat. Then let programs send again.`,
  ];
  return {
    title: moved ? 'Wirebird was moved to this machine' : 'Wirebird was restored from a backup',
    what: sentences(what),
    todo: sentences(steps) || 'Nothing.',
  };
}

const counted = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;
const sentences = (all: readonly (string | false)[]) => all.filter(Boolean).join(' ');

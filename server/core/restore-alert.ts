import { z } from 'zod';
import { type Alert, stating } from './alert.ts';
import { inUtc } from './new-contacts.ts';

/** What the audit log says of a restore, and its alert. */
const RestoreFacts = z.object({
  madeAt: z.iso.datetime(),
  rows: z.int(),
  /** The backup was made with `--move`. */
  moved: z.boolean(),
  /** What was lost, as a person reads it: counted, or why it is not. */
  lost: z.string(),
  /** It was counted, and nothing was lost. */
  lostNothing: z.boolean().default(false),
  /** How many messages were lost. What each account lost is then in the audit log. Null if nobody could count. */
  lostMessages: z.int().nullable(),
  /** Programs must wait because of an earlier restore of the last day. */
  paused: z.boolean(),
  /** How many messages became unknown and expired by the restore, and how many numbers must be linked again. */
  unknown: z.int(),
  expired: z.int(),
  toLink: z.int(),
});
export type RestoreFacts = z.infer<typeof RestoreFacts>;

/** What an account lost, as a person reads it, and how many messages of that; null if that is not counted. */
const LostRecords = z.object({
  madeAt: z.iso.datetime(),
  lost: z.string().nullable(),
  messages: z.int().nullable(),
});
export type LostRecords = z.infer<typeof LostRecords>;

/** An alert of another version, whose facts cannot be read. */
const UNREADABLE = {
  title: 'The service was restored from a backup',
  what: 'Records may be missing.',
  todo: 'Before you send a message again, look at its chat on the phone that sends.',
};

/** Kinds of alerts about a restore. */
export const RESTORE_ALERTS = {
  restored: stating(RestoreFacts, ({ facts }) => {
    if (facts === null) return UNREADABLE;
    const { title, what, steps } = restoreWords(facts);
    return { title, what: what.join(' '), todo: listOf(steps) };
  }),
  /** For an account whose requests since the backup are forgotten. */
  records_lost: stating(LostRecords, ({ facts }) => {
    if (facts === null) return UNREADABLE;
    const { madeAt, lost, messages } = facts;
    const at = atText(madeAt);
    const arrived =
      messages === null
        ? ' Missing messages may have arrived, and none is sent later.'
        : messages > 0
          ? ' Those counted as sent were sent, unknown ones may have arrived, and none is sent later.'
          : '';
    return {
      title: 'Records are missing, because the service was restored from a backup',
      what: `The backup was made on ${at}. What happened later is missing: ${lost ?? 'how much cannot be counted'}.${arrived} ${ALSO_LOST}`,
      todo:
        messages === 0
          ? 'Make these changes again.'
          : `Pause your programs: if they repeat a request made since the backup, its message can arrive twice. Compare your requests after ${at} with the chats on the phone, and repeat only what is in no chat. Then let your programs send again.`,
    };
  }),
} as const satisfies Record<string, Alert>;

/** Most messages whose record is lost were sent, so "lost messages" would mislead. */
const records = ({ lost, lostNothing }: RestoreFacts) =>
  lostNothing ? `Lost: ${lost}.` : `Lost: the records of ${lost}.`;
const ALSO_LOST =
  'Also lost: the log of requests since then, later deliveries and reads, and other changes such as passwords and settings.';

/**
 * What a restore did, sentence by sentence, and what to do now, step by step, for the operator. `left`: how many numbers
 * are still to be linked, and how many messages still unknown; without it, those of the restore.
 */
export function restoreWords(
  facts: RestoreFacts,
  left: Pick<RestoreFacts, 'toLink' | 'unknown'> = facts,
): { title: string; what: string[]; steps: string[] } {
  const { madeAt, moved, lost, unknown, expired } = facts;
  const at = atText(madeAt);
  const toLink = Math.min(facts.toLink, left.toLink);
  return {
    title: moved ? 'Wirebird was moved from another machine' : 'Wirebird was restored from a backup',
    what: given(
      moved
        ? `The backup was made with --move on ${at}. Lost${expired > 0 ? ' besides what expired' : ''}: ${lost}.`
        : `The backup was made on ${at}. ${records(facts)} ${ALSO_LOST}`,
      unknown > 0 && `${counted(unknown, 'message is', 'messages are')} unknown and may have arrived.`,
      expired > 0 && `${counted(expired, 'message', 'messages')} expired and will not be sent.`,
      toLink > 0 && `${counted(toLink, 'number sends', 'numbers send')} nothing until linked again.`,
    ),
    steps: given(
      ...stepsBeforeLinking(facts),
      toLink > 0 && `Have ${counted(toLink, 'number', 'numbers')} linked again.`,
      ...stepsAfterLinking({ ...facts, unknown: Math.min(unknown, left.unknown) }),
    ),
  };
}

/** Whether programs must wait, because a repeat of a forgotten request could send twice. */
export const pauses = ({ moved, lostMessages }: Pick<RestoreFacts, 'moved' | 'lostMessages'>) =>
  !moved && lostMessages !== 0;

/** What must happen before numbers are linked again. */
export function stepsBeforeLinking({
  moved,
  lostMessages,
}: Pick<RestoreFacts, 'moved' | 'lostMessages'>): string[] {
  return given(
    moved && 'Point the host name of Wirebird to this machine.',
    pauses({ moved, lostMessages }) &&
      'Keep the programs that send paused. Wirebird no longer knows their requests since the backup, so a repeat can send a message twice.',
  );
}

/** The last steps after a restore. */
export function stepsAfterLinking(
  facts: Pick<RestoreFacts, 'madeAt' | 'moved' | 'lostMessages' | 'paused' | 'unknown' | 'expired'>,
): string[] {
  const { madeAt, paused, unknown, expired } = facts;
  return given(
    unknown > 0 && 'Before an unknown message is sent again, look at its chat on the phone that sends.',
    expired > 0 && 'Ask the owners to send again what expired and is still needed.',
    !pauses(facts)
      ? paused
        ? 'Let programs send when the steps of the restore before are done.'
        : 'Programs can send as soon as their number is connected.'
      : `Each account with missing records gets an alert. It asks to compare the requests after ${atText(madeAt)} with the chats on the phone, and to repeat only what is in no chat. When that is done, let programs send again.`,
  );
}

/** Numbered lines, if there are several. */
const listOf = (steps: readonly string[]) =>
  steps.length === 1 ? `${steps[0]}` : steps.map((step, n) => `${n + 1}. ${step}`).join('\n');
const atText = (madeAt: string) => inUtc(new Date(madeAt), { seconds: true });
const counted = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;
const given = (...all: readonly (string | false)[]) => all.filter((one) => one !== false);

import { MESSAGE_STATUSES } from '#server/core/message-state.ts';
import { inUtc } from '#server/core/new-contacts.ts';
import { stepsAfterLinking, stepsBeforeLinking } from '#server/core/restore-alert.ts';
import { plural } from '#server/operations/lost-text.ts';
import type { NumberToLink } from '#server/operations/queries/links.ts';
import { lostMessagesOf, type Restored } from '#server/operations/restore.ts';
import { bounded } from './bounded.ts';
import { messagesLines, scheduledLines } from './installation-lines.ts';
import { lostLines } from './lost-lines.ts';
import { numberText } from './number-text.ts';

/** `restore` for people: what happened, what was lost, and what to do, step by step. */
export function restoreLines(restored: Restored, numbers: readonly NumberToLink[]): string[] {
  const at = inUtc(new Date(restored.madeAt), { seconds: true });
  return [
    `Restored: the backup of ${at}, ${plural(restored.rows, 'row', 'rows')}.`,
    ...messageLines(restored),
    ...lostLines(restored, at),
    ...knownLines(restored),
    ...otherSecretsLines(restored),
    'What to do now:',
    ...stepsOf(restored, numbers).flatMap(([first = '', ...more], n) => [`  ${n + 1}. ${first}`, ...more]),
  ];
}

/** What became of the messages that waited or were being sent at the backup. */
function messageLines({ moved, unknown, expired, scheduled, ...of }: Restored): string[] {
  const lines: string[] = [];
  if (unknown > 0)
    lines.push(
      moved
        ? `Unknown: ${plural(unknown, 'message was', 'messages were')} being sent when the old installation stopped, and may have arrived.`
        : `Unknown: ${plural(unknown, 'message', 'messages')} waited or were being sent at the backup, and may have been sent since.`,
      ...bounded(of.unknownOn, messagesLines, '  ', ['number', 'numbers']),
    );
  if (expired > 0)
    lines.push(
      `Expired: ${plural(expired, 'waiting message was', 'waiting messages were')} not sent.`,
      ...bounded(of.expiredOn, messagesLines, '  ', ['number', 'numbers']),
    );
  return [...lines, ...scheduledLines(scheduled)];
}

function knownLines({ known, knownAs }: Restored): string[] {
  if (known === 0) return [];
  const counts = MESSAGE_STATUSES.flatMap((status) =>
    knownAs[status] ? `${knownAs[status]} ${status}` : [],
  );
  return [
    `Not affected: ${plural(known, 'message', 'messages')} waited, were being sent or were unknown at the backup, and keep the outcome that the replaced database knew: ${counts.join(', ')}.`,
  ];
}

const otherSecretsLines = ({ otherSecrets }: Restored) =>
  otherSecrets.length === 0
    ? []
    : [`Other secrets: ${otherSecrets.join(', ')}. What was made with the old ones no longer works.`];

/** Each step, with the lines below it. What must not happen meanwhile is the first. */
function stepsOf(restored: Restored, numbers: readonly NumberToLink[]): string[][] {
  const { moved, sameInstallation } = restored;
  const of = { ...restored, lostMessages: lostMessagesOf(restored) };
  const link =
    numbers.length === 0
      ? []
      : [
          [
            `Have ${plural(numbers.length, 'number', 'numbers')} linked again. ${numbers.length === 1 ? 'It' : 'Each'} sends nothing until its account links it with its phone.`,
            ...numbers.map((number) => `     ${numberText(number)}: by ${number.account}`),
          ],
        ];
  return [
    ...(moved || sameInstallation ? [] : [[STOP_OTHER]]),
    ...(moved ? [[START]] : []),
    ...stepsBeforeLinking(of).map((step) => [step]),
    ...(moved ? [] : [[START]]),
    ...link,
    ...stepsAfterLinking(of).map((step) => [step]),
  ];
}

const START = 'Start Wirebird and run “cli doctor”.';
const STOP_OTHER =
  'If this backup comes from another installation, stop that installation and never start it again. Otherwise messages can arrive twice.';

import type { BackupMade } from '#server/operations/back-up.ts';
import { plural } from '#server/operations/lost-text.ts';
import type { MessagesOn, MoveCosts, NumberToLink } from '#server/operations/queries/links.ts';
import type { Restored } from '#server/operations/restore.ts';
import { bounded } from './bounded.ts';
import { missingLines } from './missing-lines.ts';
import { numberText, toText } from './number-text.ts';

/** `backup` for people. `move`: what a move costs, and what to do next; it can still be undone. */
export function backupLines(
  { file, bytes, rows }: BackupMade,
  move: { costs: MoveCosts; next: string } | null,
): string[] {
  const count = Object.values(rows).reduce((sum, one) => sum + one, 0);
  const written = `Written: ${file}, ${plural(count, 'row', 'rows')}, ${plural(bytes, 'byte', 'bytes')}.`;
  if (move === null) return [written];
  return [
    written,
    `Moved: ${move.next}`,
    'The move costs:',
    ...costLines(move.costs, ''),
    'When the new installation starts, the move is final. Until then, “cli move undo” undoes it.',
  ];
}

/** `move preview` for people. */
export function moveLines(costs: MoveCosts): string[] {
  return [
    'Nothing was changed. A move (“cli backup FILE --move”, then “cli restore FILE” on the new machine) costs:',
    ...costLines(costs, ', unless sent before you stop Wirebird'),
    ...(costs.waiting === 0
      ? []
      : ['To lose none: pause the programs that send, and wait until no messages wait. Then stop Wirebird.']),
  ];
}

function costLines({ waiting, expiring, scheduled, numbers }: MoveCosts, unless: string): string[] {
  return [
    waiting === 0
      ? 'Expire: no message is waiting.'
      : `Expire: ${plural(waiting, 'waiting message is', 'waiting messages are')} not sent${unless}.`,
    ...bounded(expiring, messagesLines, '  ', ['number', 'numbers']),
    ...scheduledLines(scheduled),
    ...linkLines(numbers),
  ];
}

function messagesLines(on: MessagesOn): string[] {
  const to = on.to.map(toText).join(', ');
  const more = on.others === 0 ? '' : ` and ${on.others} more`;
  return [
    `  ${numberText(on)}: ${plural(on.messages, 'message', 'messages')} of ${on.account}, to ${to}${more}`,
  ];
}

/**
 * `restore` for people: what happened, what is missing since when, what became of messages, and who links which
 * number again. `warning`: what must not happen now.
 */
export function restoreLines(
  restored: Restored,
  numbers: readonly NumberToLink[],
  warning: string | null,
): string[] {
  const { known, expired, unknown, scheduled, otherSecrets } = restored;
  const at = `${restored.madeAt.slice(0, 19).replace('T', ' ')} UTC`;
  const lines = [`Restored: the backup of ${at}, ${plural(restored.rows, 'row', 'rows')}.`];
  lines.push(...missingLines(restored, at));
  if (known > 0)
    lines.push(
      `Known: ${plural(known, 'message', 'messages')} waited or were being sent at the backup, and have the outcome that the replaced database knew.`,
    );
  if (unknown > 0)
    lines.push(
      restored.moved
        ? `Unknown: ${plural(unknown, 'message was', 'messages were')} being sent when the old installation stopped, and may have arrived. Look at the chat on the phone that sends before you send one again.`
        : `Unknown: ${plural(unknown, 'message', 'messages')} waited or were being sent at the backup, and may have been sent since. Look at the chat on the phone that sends before you send one again.`,
      ...bounded(restored.unknownOn, messagesLines, '  ', ['number', 'numbers']),
    );
  if (expired > 0)
    lines.push(
      `Expired: ${plural(expired, 'waiting message was', 'waiting messages were')} not sent. Send again what is still needed.`,
      ...bounded(restored.expiredOn, messagesLines, '  ', ['number', 'numbers']),
    );
  lines.push(...scheduledLines(scheduled), ...linkLines(numbers));
  if (otherSecrets.length > 0)
    lines.push(`Other secrets: ${otherSecrets.join(', ')}. What was made with the old ones no longer works.`);
  if (warning !== null) lines.push(`Warning: ${warning}`);
  lines.push(
    'Next: start Wirebird, run “cli doctor”, and have each number linked. Let programs send again once customers have compared.',
  );
  return lines;
}

const scheduledLines = (count: number) =>
  count === 0
    ? []
    : [
        `Scheduled: ${plural(count, 'message is', 'messages are')} kept. When the number is linked again, its owner decides whether to send.`,
      ];

function linkLines(numbers: readonly NumberToLink[]): string[] {
  if (numbers.length === 0) return ['Link again: no number.'];
  const named = numbers.map((number) => `  ${numberText(number)}: by ${number.account}`);
  return [
    `Link again: ${plural(numbers.length, 'number. It', 'numbers. Each')} sends nothing until its account links it with its phone.`,
    ...named,
  ];
}

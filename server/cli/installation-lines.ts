import { plural } from '#server/operations/lost-text.ts';
import type { MessagesOn, MoveCosts, NumberToLink } from '#server/operations/queries/links.ts';
import { bounded } from './bounded.ts';
import { numberText, toText } from './number-text.ts';

/** `backup` for people. `move`: what a move costs, and what to do next; it can still be undone. */
export function backupLines(
  { file, bytes, rows }: { file: string; bytes: number; rows: Record<string, number> },
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

/** The messages of a number, and to whom they are. */
export function messagesLines(on: MessagesOn): string[] {
  const to = on.to.map(toText).join(', ');
  const more = on.others === 0 ? '' : ` and ${on.others} more`;
  return [
    `  ${numberText(on)}: ${plural(on.messages, 'message', 'messages')} of ${on.account}, to ${to}${more}`,
  ];
}

export const scheduledLines = (count: number) =>
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

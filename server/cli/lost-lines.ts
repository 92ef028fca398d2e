import { toOf } from '#server/core/recipient.ts';
import { lostMessagesText, lostText } from '#server/operations/lost-text.ts';
import { type LostAccount, type LostNumber, messagesIn } from '#server/operations/queries/lost.ts';
import type { Restored } from '#server/operations/restore.ts';
import { bounded } from './bounded.ts';
import { numberText, toText } from './number-text.ts';

/** What a restore lost: counted in the database that it replaced, and what nobody can count. */
export function lostLines(restored: Restored, at: string): string[] {
  const { moved, sameInstallation, replaced, lost } = restored;
  if (moved)
    return [
      `Lost${restored.expired > 0 ? ' besides what expired' : ''}: only the links to the phones. The old installation had stopped before the backup.`,
      ...(lost?.length === 0 ? [] : replacedLines(restored)),
    ];
  const who = sameInstallation ? 'Wirebird' : 'the original installation';
  const since = `Lost: the records of what happened after ${at}, until ${who} was stopped.`;
  if (sameInstallation && lost)
    return [
      `${since} The replaced database had, and the backup does not have:`,
      ...countedLines(lost),
      `  Not counted: ${UNCOUNTED}`,
    ];
  const why = sameInstallation ? OTHER_TABLES : replaced ? OTHER_DATABASE : NO_DATABASE;
  return [
    `${since} It cannot be counted, because ${why}:`,
    ...ACCEPTED,
    `  Also ${UNCOUNTED}`,
    ...(sameInstallation ? [] : replacedLines(restored)),
  ];
}

const NO_DATABASE = 'the database that the backup was made from was not replaced here';
const OTHER_DATABASE = 'the replaced database is not the one that the backup was made from';
const OTHER_TABLES = 'the replaced database has the tables of another version';
const ACCEPTED = [
  '  Messages accepted since then. They may have arrived.',
  '  New accounts, members, API keys, numbers and webhook endpoints, payments, and changes of plans. An API key that was revoked since then works again.',
];
const UNCOUNTED =
  'the log of requests with its idempotency keys, deliveries and reads of earlier messages, other changes such as passwords and settings, and the links to all phones. What was deleted since then is back.';

/** What was lost with a database that the backup did not come from, or that ran after the backup. */
function replacedLines({ replaced, lost }: Restored): string[] {
  if (!replaced) return [];
  if (!lost) return [`Deleted with the replaced database: not counted, because ${OTHER_TABLES}.`];
  return ['Deleted with the replaced database, and not in the backup:', ...countedLines(lost)];
}

function countedLines(lost: readonly LostAccount[]): string[] {
  if (lost.length === 0)
    return [
      '  No messages, accounts, members, API keys, numbers, webhook endpoints, payments or changes of plans.',
    ];
  const lines = bounded(
    lost,
    (account) => [
      `  ${account.account}: ${lostText(account)}`,
      ...bounded(account.ofNumbers, ofNumberLines, '    ', ['number', 'numbers']),
    ],
    '  ',
    ['account', 'accounts'],
  );
  const has = (of: 'unknown' | 'waiting') =>
    lost.some(({ ofNumbers }) => ofNumbers.some(({ messages }) => messages[of] > 0));
  const legend = [
    has('unknown') && 'Unknown messages may have arrived.',
    has('waiting') && 'Waiting messages will not be sent.',
    'The audit log under Administration keeps these counts.',
  ];
  lines.push(`  ${legend.filter(Boolean).join(' ')}`);
  return lines;
}

const BECAME = { sent: 'sent', unknown: 'unknown', waiting: 'waiting', notSent: 'not sent' } as const;

/** What a number lost: how many messages, and which were the last. */
function ofNumberLines({ messages, newest, ...number }: LostNumber): string[] {
  const before = messagesIn(messages) - newest.length;
  return [
    `    ${numberText(number)}: ${lostMessagesText(messages)}`,
    ...(before > 0 ? [`      ${before} more, and then:`] : []),
    ...newest.map(({ at, to, became }) => `      ${at} UTC, to ${toText(toOf(to))}: ${BECAME[became]}`),
  ];
}

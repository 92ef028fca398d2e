import { expect, test } from 'vitest';
import { personOf } from '#server/core/recipient.ts';
import type { Restored } from '#server/operations/restore.ts';
import { backupLines, moveLines, restoreLines } from './installation-lines.ts';

const parcels = { label: 'Parcels', phoneNumber: '999450935963', account: 'parcels@heron.example' };
const restored = {
  ...{ madeAt: '2026-11-25T20:47:00.139Z', moved: false, sameInstallation: true, rows: 155 },
  ...{ known: 0, expired: 0, expiredOn: [], unknown: 11, scheduled: 1, toLink: 1, otherSecrets: [] },
  unknownOn: [{ ...parcels, messages: 11, to: ['491511234567', '491511234568'], others: 4 }],
  ...{ replaced: true, lost: [] },
} satisfies Restored;
const nothing = { keys: 0, revokedKeys: 0, numbers: 0, members: 0, webhooks: 0, payments: 0 };
const heron = {
  ...{ accountId: 'acc_1', account: 'Heron', whole: false, planChanged: true },
  ...{ ...nothing, keys: 2, revokedKeys: 1, members: 1, payments: 1 },
  ofNumbers: [
    {
      ...{ numberId: 'num_1', label: 'Parcels', phoneNumber: '999450935963' },
      messages: { sent: 9, unknown: 1, waiting: 2, notSent: 0 },
      newest: [
        { at: '2026-11-25 20:59:58', to: personOf('491511234567'), became: 'sent' as const },
        { at: '2026-11-25 21:00:06', to: personOf('491511234568'), became: 'waiting' as const },
      ],
    },
    {
      ...{ numberId: 'num_2', label: '', phoneNumber: null },
      messages: { sent: 0, unknown: 0, waiting: 0, notSent: 1 },
      newest: [{ at: '2026-11-25 20:50:00', to: personOf('491511234569'), became: 'notSent' as const }],
    },
  ],
};
const UNCOUNTED = [
  '  The log of requests, and the idempotency keys.',
  '  Whether messages that were sent before it were delivered or read since.',
  '  Other changes, such as passwords and settings. What was deleted since then is back.',
  '  The links to all phones.',
];
const TELL =
  'Tell customers: compare your own list of requests after 2026-11-25 20:47:00 UTC, such as their Idempotency-Keys, with the chats on your phones. Repeat only those whose message is in no chat. An Idempotency-Key used since then does not prevent a second message.';

test('a restore says what it lost since when, what is unknown, and who links which number again', () => {
  expect(restoreLines({ ...restored, lost: [heron] }, [parcels], 'Stop the programs.')).toEqual([
    'Restored: the backup of 2026-11-25 20:47:00 UTC, 155 rows.',
    'Missing: what happened after 2026-11-25 20:47:00 UTC, until Wirebird was stopped. The replaced database had, and the backup does not have:',
    '  Heron: 13 messages (9 sent, 1 unknown, 2 waiting, 1 not sent), 2 API keys, 1 member, 1 payment, a change of the plan, 1 revoked API key that works again',
    '    Parcels, +999450935963: 12 messages (9 sent, 1 unknown, 2 waiting)',
    '      10 more, and then:',
    '      2026-11-25 20:59:58 UTC, to +491511234567: sent',
    '      2026-11-25 21:00:06 UTC, to +491511234568: waiting',
    '    Unnamed number: 1 message (1 not sent)',
    '      2026-11-25 20:50:00 UTC, to +491511234569: not sent',
    '  Unknown messages may have arrived.',
    '  Waiting messages will not be sent: tell their senders.',
    '  The audit log under Administration keeps these counts.',
    'Also missing, and not counted:',
    ...UNCOUNTED,
    TELL,
    'Unknown: 11 messages waited or were being sent at the backup, and may have been sent since. Look at the chat on the phone that sends before you send one again.',
    '  Parcels, +999450935963: 11 messages of parcels@heron.example, to +491511234567, +491511234568 and 4 more',
    'Scheduled: 1 message is kept. When the number is linked again, its owner decides whether to send.',
    'Link again: 1 number. It sends nothing until its account links it with its phone.',
    '  Parcels, +999450935963: by parcels@heron.example',
    'Warning: Stop the programs.',
    'Next: start Wirebird, run “cli doctor”, and have each number linked. Let programs send again once customers have compared.',
  ]);
});

const NONE =
  '  No messages, accounts, members, API keys, numbers, webhook endpoints, payments or changes of plans.';

test('a restore that lost nothing says so', () => {
  const lines = restoreLines(restored, [], null);
  expect(lines[2]).toBe(NONE);
  expect(lines.join(' ')).not.toMatch(/audit log|may have arrived/);
});

test('ten accounts and ten numbers of each are named, then how many more there are', () => {
  const [first] = heron.ofNumbers;
  const many = { ...heron, ofNumbers: Array.from({ length: 11 }, () => first).flatMap((one) => one ?? []) };
  const lines = restoreLines({ ...restored, lost: [many, ...Array(11).fill(heron)] }, [], null);
  expect(lines.filter((line) => line.startsWith('  Heron:'))).toHaveLength(10);
  expect(lines).toContain('    and 1 more number');
  expect(lines).toContain('  and 2 more accounts');
});

test('without the database of the backup a restore says that it cannot be counted, and why', () => {
  const copy = { ...restored, sameInstallation: false };
  const into = (of: Partial<Restored>) => restoreLines({ ...copy, ...of }, [], null);
  const [, missing, ...rest] = into({ replaced: false, lost: null });
  expect(missing).toBe(
    'Missing: what happened after 2026-11-25 20:47:00 UTC, until the original installation was stopped. It cannot be counted, because the database that the backup was made from was not replaced here:',
  );
  expect(rest.slice(0, 7)).toEqual([
    '  Messages accepted since then. They may have arrived.',
    '  New accounts, members, API keys, numbers and webhook endpoints, payments, and changes of plans. An API key that was revoked since then works again.',
    ...UNCOUNTED,
    TELL,
  ]);

  const other = into({ lost: [heron] });
  expect(other[1]).toMatch(/because the replaced database is not the one that the backup was made from:$/);
  const deleted = other.indexOf('Deleted with the replaced database, and not in the backup:');
  expect(other[deleted + 1]).toMatch(/^ {2}Heron: 13 messages/);
  expect(into({ lost: null })).toContain(
    'Deleted with the replaced database: not counted, because the replaced database has the tables of another version.',
  );
  expect(restoreLines({ ...restored, lost: null }, [], null)[1]).toMatch(
    /because the replaced database has the tables of another version:$/,
  );
});

test('a restore over its own installation says how many messages keep the outcome that it knew', () => {
  const known = restoreLines({ ...restored, known: 2 }, [], null);
  expect(known).toContain(
    'Known: 2 messages waited or were being sent at the backup, and have the outcome that the replaced database knew.',
  );
});

test('after a move nothing is missing but the links, and what expired is certain', () => {
  const moved = { ...restored, moved: true, unknown: 0, expired: 3, replaced: false, lost: null };
  const lines = restoreLines(moved, [], null);
  expect(lines[1]).toBe(
    'Missing: only the links to the phones. The old installation had stopped before the backup.',
  );
  expect(lines).toContain('Expired: 3 waiting messages were not sent. Send again what is still needed.');
  expect(lines.join(' ')).not.toMatch(/Unknown|Warning|Deleted/);
  expect(restoreLines({ ...moved, replaced: true, lost: [] }, [], null)).toEqual(lines);
  // Unless it replaced a database that had more.
  expect(restoreLines({ ...moved, replaced: true, lost: [heron] }, [], null)[2]).toBe(
    'Deleted with the replaced database, and not in the backup:',
  );
});

test('what a move costs is known before it', () => {
  const expiring = [
    { ...parcels, messages: 8, to: ['4915228817386', '4915228817387'], others: 4 },
    { ...parcels, label: 'Returns', messages: 1, to: ['120363041234567890@g.us'], others: 0 },
  ];
  const costs = { waiting: 9, expiring, scheduled: 0, numbers: [parcels] };
  expect(moveLines(costs).slice(1)).toEqual([
    'Expire: 9 waiting messages are not sent, unless sent before you stop Wirebird.',
    '  Parcels, +999450935963: 8 messages of parcels@heron.example, to +4915228817386, +4915228817387 and 4 more',
    '  Returns, +999450935963: 1 message of parcels@heron.example, to 120363041234567890@g.us',
    'Link again: 1 number. It sends nothing until its account links it with its phone.',
    '  Parcels, +999450935963: by parcels@heron.example',
    'To lose none: pause the programs that send, and wait until no messages wait. Then stop Wirebird.',
  ]);
  const [first] = expiring;
  const many = Array.from({ length: 12 }, () => first).flatMap((one) => one ?? []);
  expect(moveLines({ ...costs, expiring: many })).toContain('  and 2 more numbers');
  const two = moveLines({ waiting: 0, expiring: [], scheduled: 0, numbers: [parcels, parcels] });
  expect(two).toContain(
    'Link again: 2 numbers. Each sends nothing until its account links it with its phone.',
  );
  expect(two.join(' ')).not.toContain('To lose none');
});

test('the backup of a move says that it can still be undone, and what it costs', () => {
  const made = { file: '/b', bytes: 1, rows: { accounts: 2, numbers: 1 }, moved: true };
  const expiring = [{ ...parcels, messages: 1, to: ['4915228817386'], others: 0 }];
  const costs = { waiting: 1, expiring, scheduled: 2, numbers: [] };
  expect(backupLines(made, { costs, next: 'Copy the file.' })).toEqual([
    'Written: /b, 3 rows, 1 byte.',
    'Moved: Copy the file.',
    'The move costs:',
    'Expire: 1 waiting message is not sent.',
    '  Parcels, +999450935963: 1 message of parcels@heron.example, to +4915228817386',
    'Scheduled: 2 messages are kept. When the number is linked again, its owner decides whether to send.',
    'Link again: no number.',
    'When the new installation starts, the move is final. Until then, “cli move undo” undoes it.',
  ]);
  expect(backupLines({ ...made, moved: false }, null)).toHaveLength(1);
});

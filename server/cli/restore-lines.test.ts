import { expect, test } from 'vitest';
import { personOf } from '#server/core/recipient.ts';
import type { Restored } from '#server/operations/restore.ts';
import { restoreLines } from './restore-lines.ts';

const parcels = { label: 'Parcels', phoneNumber: '999450935963', account: 'parcels@heron.example' };
const restored = {
  ...{ madeAt: '2026-11-25T20:47:00.139Z', moved: false, sameInstallation: true, rows: 155 },
  paused: false,
  ...{
    known: 0,
    knownAs: {},
    expired: 0,
    expiredOn: [],
    unknown: 11,
    scheduled: 1,
    toLink: 1,
    otherSecrets: [],
  },
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
const UNCOUNTED =
  'the log of requests with its idempotency keys, deliveries and reads of earlier messages, other changes such as passwords and settings, and the links to all phones. What was deleted since then is back.';
const PAUSED =
  'Keep the programs that send paused. Wirebird no longer knows their requests since the backup, so a repeat can send a message twice.';
const TELL =
  'Each account with missing records gets an alert. It asks to compare the requests after 25 November 2026, 20:47:00 UTC with the chats on the phone, and to repeat only what is in no chat. When that is done, let programs send again.';

test('a restore says what happened, what it lost since when, and what to do, with the warning as the first step', () => {
  expect(restoreLines({ ...restored, lost: [heron], expired: 1 }, [parcels])).toEqual([
    'Restored: the backup of 25 November 2026, 20:47:00 UTC, 155 rows.',
    'Unknown: 11 messages waited or were being sent at the backup, and may have been sent since.',
    '  Parcels, +999450935963: 11 messages of parcels@heron.example, to +491511234567, +491511234568 and 4 more',
    'Expired: 1 waiting message was not sent.',
    'Scheduled: 1 message is kept. When the number is linked again, its owner decides whether to send.',
    'Lost: the records of what happened after 25 November 2026, 20:47:00 UTC, until Wirebird was stopped. The replaced database had, and the backup does not have:',
    '  Heron: 13 messages (9 sent, 1 unknown, 2 waiting, 1 not sent), 2 API keys, 1 member, 1 payment, 1 change of the plan, 1 revoked API key that works again',
    '    Parcels, +999450935963: 12 messages (9 sent, 1 unknown, 2 waiting)',
    '      10 more, and then:',
    '      2026-11-25 20:59:58 UTC, to +491511234567: sent',
    '      2026-11-25 21:00:06 UTC, to +491511234568: waiting',
    '    Unnamed number: 1 message (1 not sent)',
    '      2026-11-25 20:50:00 UTC, to +491511234569: not sent',
    '  Unknown messages may have arrived. Waiting messages will not be sent. The audit log under Administration keeps these counts.',
    `  Not counted: ${UNCOUNTED}`,
    'What to do now:',
    `  1. ${PAUSED}`,
    '  2. Start Wirebird and run “cli doctor”.',
    '  3. Have 1 number linked again. It sends nothing until its account links it with its phone.',
    '     Parcels, +999450935963: by parcels@heron.example',
    '  4. Before an unknown message is sent again, look at its chat on the phone that sends.',
    '  5. Ask the owners to send again what expired and is still needed.',
    `  6. ${TELL}`,
  ]);
});

const NONE =
  '  No messages, accounts, members, API keys, numbers, webhook endpoints, payments or changes of plans.';

test('a restore that lost nothing says so', () => {
  const lines = restoreLines({ ...restored, unknown: 0 }, []);
  expect(lines[3]).toBe(NONE);
  expect(lines.join(' ')).not.toMatch(/audit log|may have arrived/);
});

test('ten accounts and ten numbers of each are named, then how many more there are', () => {
  const [first] = heron.ofNumbers;
  const many = { ...heron, ofNumbers: Array.from({ length: 11 }, () => first).flatMap((one) => one ?? []) };
  const lines = restoreLines({ ...restored, lost: [many, ...Array(11).fill(heron)] }, []);
  expect(lines.filter((line) => line.startsWith('  Heron:'))).toHaveLength(10);
  expect(lines).toContain('    and 1 more number');
  expect(lines).toContain('  and 2 more accounts');
});

test('without the database of the backup a restore says that it cannot be counted, and why', () => {
  const copy = { ...restored, sameInstallation: false, unknown: 0, scheduled: 0 };
  const into = (of: Partial<Restored>) => restoreLines({ ...copy, ...of }, []);
  const [, lost, ...rest] = into({ replaced: false, lost: null });
  expect(lost).toBe(
    'Lost: the records of what happened after 25 November 2026, 20:47:00 UTC, until the original installation was stopped. It cannot be counted, because the database that the backup was made from was not replaced here:',
  );
  expect(rest.slice(0, 5)).toEqual([
    '  Messages accepted since then. They may have arrived.',
    '  New accounts, members, API keys, numbers and webhook endpoints, payments, and changes of plans. An API key that was revoked since then works again.',
    `  Also ${UNCOUNTED}`,
    'What to do now:',
    '  1. If this backup comes from another installation, stop that installation and never start it again. Otherwise messages can arrive twice.',
  ]);
  expect(rest[5]).toBe(`  2. ${PAUSED}`);

  const other = into({ lost: [heron] });
  expect(other[1]).toMatch(/because the replaced database is not the one that the backup was made from:$/);
  const deleted = other.indexOf('Deleted with the replaced database, and not in the backup:');
  expect(other[deleted + 1]).toMatch(/^ {2}Heron: 13 messages/);
  expect(into({ lost: null })).toContain(
    'Deleted with the replaced database: not counted, because the replaced database has the tables of another version.',
  );
  expect(into({ sameInstallation: true, lost: null })[1]).toMatch(
    /because the replaced database has the tables of another version:$/,
  );
});

test('a restore over its own installation counts the outcomes that it knew', () => {
  const known = restoreLines(
    { ...restored, known: 12, knownAs: { cancelled: 1, sent: 8, delivered: 3, read: 0 } },
    [],
  );
  expect(known).toContain(
    'Not affected: 12 messages waited, were being sent or were unknown at the backup, and keep the outcome that the replaced database knew: 8 sent, 3 delivered, 1 cancelled.',
  );
});

test('after a move nothing is lost but the links, and what expired is certain', () => {
  const moved = {
    ...restored,
    moved: true,
    unknown: 0,
    scheduled: 0,
    expired: 3,
    replaced: false,
    lost: null,
  };
  const lines = restoreLines(moved, []);
  expect(lines.slice(1)).toEqual([
    'Expired: 3 waiting messages were not sent.',
    'Lost besides what expired: only the links to the phones. The old installation had stopped before the backup.',
    'What to do now:',
    '  1. Start Wirebird and run “cli doctor”.',
    '  2. Point the host name of Wirebird to this machine.',
    '  3. Ask the owners to send again what expired and is still needed.',
    '  4. Programs can send as soon as their number is connected.',
  ]);
  expect(restoreLines({ ...moved, replaced: true, lost: [] }, [])).toEqual(lines);
  // Unless it replaced a database that had more.
  expect(restoreLines({ ...moved, replaced: true, lost: [heron] }, [])[3]).toBe(
    'Deleted with the replaced database, and not in the backup:',
  );
});

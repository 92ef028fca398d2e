import { expect, test } from 'vitest';
import { backupLines, moveLines, restoreLines } from './installation-lines.ts';

const parcels = { label: 'Parcels', phoneNumber: '999450935963', account: 'parcels@heron.example' };
const restored = {
  ...{ madeAt: '2026-11-25T20:47:00.139Z', moved: false, sameInstallation: true, rows: 155 },
  ...{ known: 0, expired: 0, unknown: 11, scheduled: 1, toLink: 1, otherSecrets: [] },
};

test('a restore says what it lost since when, what is unknown, and who links which number again', () => {
  expect(restoreLines(restored, [parcels], 'Stop the programs.')).toEqual([
    'Restored: the backup of 2026-11-25 20:47:00 UTC, 155 rows.',
    'Missing: what happened after 2026-11-25 20:47:00 UTC, until Wirebird was stopped. It is not counted here:',
    '  Messages and requests accepted since then. Their messages may have arrived.',
    '  The latest state of messages in the backup, such as delivered or read.',
    '  Changes of accounts, payments, keys and settings. A key that was revoked since then works again.',
    '  The links to all phones.',
    'Tell customers: compare your own list of requests after 2026-11-25 20:47:00 UTC, such as their Idempotency-Keys, with the chats on your phones. Repeat only those whose message is in no chat. An Idempotency-Key used since then does not prevent a second message.',
    'Unknown: 11 messages waited or were being sent at the backup, and may have been sent since. Look at the chat on the phone before you send one again.',
    'Scheduled: 1 message is kept. When the number is linked again, its owner decides whether to send.',
    'Link again: 1 number. It sends nothing until its account links it with its phone.',
    '  Parcels, +999450935963: by parcels@heron.example',
    'Warning: Stop the programs.',
    'Next: start Wirebird, run “cli doctor”, and have each number linked.',
  ]);
});

test('in a copy, what is missing ends when the original installation was stopped', () => {
  expect(restoreLines({ ...restored, sameInstallation: false }, [], null)[1]).toContain(
    'until the original installation was stopped.',
  );
});

test('a restore over its own installation says how many messages keep the outcome that it knew', () => {
  const known = restoreLines({ ...restored, known: 2 }, [], null);
  expect(known).toContain(
    'Known: 2 messages waited or were being sent at the backup, and have the outcome that the replaced database knew.',
  );
});

test('after a move nothing is missing but the links, and what expired is certain', () => {
  const lines = restoreLines({ ...restored, moved: true, unknown: 0, expired: 3 }, [], null);
  expect(lines[1]).toBe(
    'Missing: only the links to the phones. The old installation had stopped before the backup.',
  );
  expect(lines).toContain('Expired: 3 waiting messages were not sent. Send again what is still needed.');
  expect(lines.join(' ')).not.toMatch(/Unknown|Warning/);
});

test('what a move costs is known before it', () => {
  expect(moveLines({ waiting: 3, scheduled: 0, numbers: [parcels] }).slice(1)).toEqual([
    'Expire: 3 waiting messages are not sent, unless sent before you stop Wirebird.',
    'Link again: 1 number. It sends nothing until its account links it with its phone.',
    '  Parcels, +999450935963: by parcels@heron.example',
    'To lose none: pause the programs that send, and wait until no messages wait. Then stop Wirebird.',
  ]);
  const two = moveLines({ waiting: 0, scheduled: 0, numbers: [parcels, parcels] });
  expect(two).toContain(
    'Link again: 2 numbers. Each sends nothing until its account links it with its phone.',
  );
  expect(two.join(' ')).not.toContain('To lose none');
});

test('the backup of a move says that it can still be undone, and what it costs', () => {
  const made = { file: '/b', bytes: 1, rows: { accounts: 2, numbers: 1 }, moved: true };
  const costs = { waiting: 1, scheduled: 2, numbers: [] };
  expect(backupLines(made, { costs, next: 'Copy the file.' })).toEqual([
    'Written: /b, 3 rows, 1 byte.',
    'Moved: Copy the file.',
    'The move costs:',
    'Expire: 1 waiting message is not sent.',
    'Scheduled: 2 messages are kept. When the number is linked again, its owner decides whether to send.',
    'Link again: no number.',
    'When the new installation starts, the move is final. Until then, “cli move undo” undoes it.',
  ]);
  expect(backupLines({ ...made, moved: false }, null)).toHaveLength(1);
});

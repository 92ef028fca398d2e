import { expect, test } from 'vitest';
import { backupLines, moveLines } from './installation-lines.ts';

const parcels = { label: 'Parcels', phoneNumber: '999450935963', account: 'parcels@heron.example' };
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
  const made = { file: '/b', bytes: 1, rows: { accounts: 2, numbers: 1 } };
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
  expect(backupLines({ ...made }, null)).toHaveLength(1);
});

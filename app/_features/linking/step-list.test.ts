import { expect, test } from 'vitest';
import { stepList } from './step-list.ts';

const SHUT = { open: false, qr: null, pairingCode: null, syncPercent: null, passkey: null };
const read = (...of: Parameters<typeof stepList>) =>
  stepList(...of).map(({ name, hint, place }) => `${place}: ${name}, ${hint}`);

test('before linking starts, no step reads as done', () => {
  for (const linking of [undefined, SHUT])
    expect(read(linking, 'UNLINKED', 'qr')).toEqual([
      'todo: Show the code, Not yet',
      'todo: Scan with the phone, Not yet',
      'todo: Load the chats, Not yet',
      'todo: Connect the number, Not yet',
    ]);
});

test('only the steps before the present one are done', () => {
  expect(read({ ...SHUT, open: true }, 'LINKING', 'qr')[0]).toBe('now: Show the code, Preparing');
  expect(read({ ...SHUT, open: true, pairingCode: 'ABCD1234' }, 'LINKING', 'code')).toEqual([
    'done: Code shown, Done',
    'now: Enter the code on the phone, Waiting',
    'todo: Load the chats, Not yet',
    'todo: Connect the number, Not yet',
  ]);
  const passkey = { attempt: 'an attempt', at: 'sign', code: null, why: null } as const;
  expect(read({ ...SHUT, open: true, passkey }, 'LINKING', 'qr')[1]).toBe(
    'now: Scan with the phone, Passkey',
  );
  expect(read({ ...SHUT, syncPercent: 40 }, 'SYNCING', 'qr').slice(2)).toEqual([
    'now: Load the chats, 40%',
    'todo: Connect the number, Not yet',
  ]);
  expect(read(SHUT, 'CONNECTED', 'qr').at(-1)).toBe('done: Connected, Done');
});

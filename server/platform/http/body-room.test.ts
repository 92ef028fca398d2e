import { expect, test } from 'vitest';
import { createBodyRoom } from './body-room.ts';

const KILOBYTE = 1024;
const piece = (bytes: number) => new Uint8Array(bytes);
/** How many pieces fit, of at most `most`. */
const fitting = (share: { take(piece: Uint8Array): boolean }, bytes: number, most: number) => {
  let count = 0;
  while (count < most && share.take(piece(bytes))) count += 1;
  return count;
};

test('bodies beyond 64 MB together are refused, short ones never, and what is given back fits again', () => {
  const room = createBodyRoom();
  const long = ['a', 'b', 'c', 'd'].map(room);
  expect(long.every((share) => share.take(piece(16 * KILOBYTE * KILOBYTE)))).toBe(true);
  expect(room('e').take(piece(256 * KILOBYTE))).toBe(false);
  expect(room('e').take(piece(31 * KILOBYTE))).toBe(true);
  for (const share of long) share.give();
  expect(room('e').take(piece(64 * KILOBYTE))).toBe(true);
});

test('an address uses at most a quarter, and leaves the rest to others', () => {
  const room = createBodyRoom();
  const open = Array.from({ length: 400 }, () => room('192.0.2.1'));
  expect(open.every((share) => share.take(piece(256 * KILOBYTE - 1)))).toBe(false);
  const others = Array.from({ length: 150 }, (_, n) => room(`198.51.100.${n}`));
  expect(others.every((share) => share.take(piece(256 * KILOBYTE)))).toBe(true);
  for (const share of open) share.give();
  expect(room('192.0.2.1').take(piece(256 * KILOBYTE))).toBe(true);
});

test('a body in pieces of one byte counts with what is kept for each piece', () => {
  expect(fitting(createBodyRoom()('a'), 1, 1_000_000)).toBeLessThan(140_000);
});

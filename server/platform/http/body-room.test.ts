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
  const long = room();
  expect(long.take(piece(64 * KILOBYTE * KILOBYTE))).toBe(true);
  expect(room().take(piece(64 * KILOBYTE))).toBe(false);
  expect(room().take(piece(31 * KILOBYTE))).toBe(true);
  long.give();
  expect(room().take(piece(64 * KILOBYTE))).toBe(true);
});

test('a body in pieces of one byte counts with what is kept for each piece', () => {
  expect(fitting(createBodyRoom()(), 1, 1_000_000)).toBeLessThan(140_000);
});

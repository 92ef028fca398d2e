import { expect, test } from 'vitest';
import { queueOrder, slotsAhead } from './lanes.ts';

const wait = (...names: string[]) =>
  names.map((name) => ({
    name,
    lane: name[0] === 'p' ? ('sync' as const) : ('async' as const),
    recipient: name[1] ?? '',
  }));
const order = (slots: number, ...names: string[]) =>
  queueOrder(wait(...names), slots).map(({ name }) => name);

test('sync ones go first, and each fourth slot is the async lane’s', () => {
  expect(order(0, 'aA', 'aB', 'pC', 'pD', 'pE', 'pF')).toEqual(['pC', 'pD', 'pE', 'aA', 'pF', 'aB']);
  expect(order(3, 'aA', 'pB')).toEqual(['aA', 'pB']);
});

test('no message overtakes an earlier one to the same recipient', () => {
  expect(order(0, 'aX1', 'aB', 'pX2')).toEqual(['aX1', 'pX2', 'aB']);
  expect(order(3, 'pX1', 'aX2', 'aB')).toEqual(['aB', 'pX1', 'aX2']);
});

test('a queue with one lane is first in, first out', () => {
  expect(order(7, 'aA', 'aB', 'aC')).toEqual(['aA', 'aB', 'aC']);
  expect(order(7)).toEqual([]);
});

test('while async messages wait, they take one slot for every three sync ones, and never more than there are', () => {
  expect(slotsAhead({ syncAhead: 0, asyncWaiting: 0 })).toBe(0);
  expect(slotsAhead({ syncAhead: 0, asyncWaiting: 100 })).toBe(1);
  expect(slotsAhead({ syncAhead: 3, asyncWaiting: 100 })).toBe(5);
  expect(slotsAhead({ syncAhead: 9, asyncWaiting: 1 })).toBe(10);
});

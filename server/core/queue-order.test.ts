import { expect, test } from 'vitest';
import { queueOrder } from './queue-order.ts';

const wait = (...names: string[]) =>
  names.map((name) => ({
    name,
    lane: name[0] === 'p' ? ('plain' as const) : ('async' as const),
    recipient: name[1] ?? '',
  }));
const order = (slots: number, ...names: string[]) =>
  queueOrder(wait(...names), slots).map(({ name }) => name);

test('plain ones go first, and each fourth slot is the async lane’s', () => {
  expect(order(0, 'aA', 'aB', 'pC', 'pD', 'pE', 'pF')).toEqual(['pC', 'pD', 'pE', 'aA', 'pF', 'aB']);
  expect(order(3, 'aA', 'pB')).toEqual(['aA', 'pB']);
});

test('no message overtakes an earlier one to the same recipient', () => {
  expect(order(0, 'aX1', 'aB', 'pX2')).toEqual(['aX1', 'pX2', 'aB']);
  expect(order(3, 'pX1', 'aX2', 'aB')).toEqual(['aB', 'pX1', 'aX2']);
});

test('a queue of one lane is first in, first out', () => {
  expect(order(7, 'aA', 'aB', 'aC')).toEqual(['aA', 'aB', 'aC']);
  expect(order(7)).toEqual([]);
});

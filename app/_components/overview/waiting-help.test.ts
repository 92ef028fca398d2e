import { expect, test } from 'vitest';
import type { NumberItem } from '#app/_components/number-sentence.ts';
import { waitingHelp } from './waiting-help.ts';

const number = (of: Partial<NumberItem>) =>
  ({
    status: 'CONNECTED',
    held: false,
    access: 'ok',
    waiting: 2,
    toDecide: 0,
    sendIntervalSeconds: 8,
    ...of,
  }) as NumberItem;

test('an end is named only for what leaves', () => {
  const unlinked = number({ status: 'UNLINKED', waiting: 3 });
  const held = number({ held: true });
  expect(waitingHelp([number({ waiting: 0 })])).toBe('Nothing waits');
  expect(waitingHelp([number({}), number({ waiting: 1 })])).toBe('Empty in 16\u00a0s');
  expect(waitingHelp([unlinked, number({ waiting: 0 })])).toBe('Goes on once the number is connected');
  expect(waitingHelp([unlinked, unlinked])).toBe('Goes on once the numbers are connected');
  expect(waitingHelp([unlinked, held])).toBe('Goes on once sending does');
  expect(waitingHelp([number({ access: 'excess' })])).toBe('Goes on once sending does');
  expect(waitingHelp([number({}), unlinked])).toBe('Empty in 16\u00a0s, but 3 not yet');
  expect(waitingHelp([number({ toDecide: 2 })])).toBe('For your decision');
  expect(waitingHelp([number({ waiting: 3, toDecide: 2 })])).toBe('Empty in 8\u00a0s, but 2 not yet');
});

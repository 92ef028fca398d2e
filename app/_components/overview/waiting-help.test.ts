import { expect, test } from 'vitest';
import type { NumberItem } from '#app/_components/number-sentence.ts';
import { waitingHelp } from './waiting-help.ts';

const number = (of: Partial<NumberItem>) =>
  ({
    status: 'CONNECTED',
    heldAt: null,
    withinPlan: true,
    waiting: 2,
    sendIntervalSeconds: 8,
    ...of,
  }) as NumberItem;

test('an end is named only for what leaves', () => {
  const unlinked = number({ status: 'UNLINKED', waiting: 3 });
  const held = number({ heldAt: '2026-11-02T09:00:00.000Z' });
  expect(waitingHelp([number({ waiting: 0 })])).toBe('Nothing waits');
  expect(waitingHelp([number({}), number({ waiting: 1 })])).toBe('Empty in 16\u00a0s');
  expect(waitingHelp([unlinked, number({ waiting: 0 })])).toBe('Goes on once the number is connected');
  expect(waitingHelp([unlinked, unlinked])).toBe('Goes on once the numbers are connected');
  expect(waitingHelp([unlinked, held])).toBe('Goes on once sending does');
  expect(waitingHelp([number({ withinPlan: false })])).toBe('Goes on once sending does');
  expect(waitingHelp([number({}), unlinked])).toBe('Empty in 16\u00a0s, but 3 until sending goes on');
});

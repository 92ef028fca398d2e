import { expect, test } from 'vitest';
import type { NumberItem } from '../number-sentence.ts';
import { verdictOf } from './verdict.ts';

const number = (of: Partial<NumberItem>) =>
  ({ name: 'Workshop', status: 'CONNECTED', heldAt: null, withinPlan: true, ...of }) as NumberItem;
const held = number({ heldAt: '2026-11-02T09:00:00.000Z' });
const verdict = (numbers: NumberItem[], of: Partial<Parameters<typeof verdictOf>[0]> = {}) =>
  Object.values(verdictOf({ numbers, stepsLeft: 0, planWorks: true, planEnded: false, ...of }));

test('a number that is held is not said to send', () => {
  expect(verdict([number({}), held])).toEqual([
    'All 2 numbers are connected',
    'Workshop is held: it sends nothing until it is released. 1 is sending normally.',
  ]);
  expect(verdict([held, number({ status: 'RECONNECTING' })])).toEqual([
    '1 of 2 numbers is not connected',
    'Workshop is held: it sends nothing until it is released.',
  ]);
  expect(verdict([held, number({ status: 'BLOCKED', statusReason: 'WhatsApp refused it.' })])[1]).toBe(
    'Workshop: WhatsApp refused it.',
  );
  expect(verdict([number({}), number({ status: 'RECONNECTING' })])[1]).toBe(
    'The other one is sending normally.',
  );
  expect(verdict([number({})])).toEqual(['Your number is connected', 'Messages leave as they come.']);
});

test('a plan that ended comes before everything, one that never began is a step', () => {
  const lost = [number({ status: 'LOGGED_OUT' })];
  const off = { planWorks: false, stepsLeft: 2 };
  expect(verdict(lost, { ...off, planEnded: true })[0]).toBe('Messages are stopped');
  expect(verdict(lost, off)[0]).toBe('Two steps to your first message');
});

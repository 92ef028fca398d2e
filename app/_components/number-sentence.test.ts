import { expect, test } from 'vitest';
import { type NumberItem, numberSentence } from './number-sentence.ts';

const number = {
  status: 'CONNECTED',
  statusSince: '2026-11-02T09:00:00.000Z',
  sendIntervalSeconds: 8,
  heldAt: null,
  withinPlan: true,
} as NumberItem;
const now = new Date('2026-11-03T09:00:00.000Z');

test('a number that is connected says that messages leave, unless the plan is stopped', () => {
  expect(numberSentence(number, now, true)).toBe('Connected for 1\u00a0day. Messages leave every 8 seconds.');
  expect(numberSentence(number, now, false)).toBe(
    'Linked for 1\u00a0day. It sends nothing while the plan is stopped.',
  );
});

import { expect, test } from 'vitest';
import { planEnding } from './plan-ending.ts';
import { planSentence, whyNothingIsSent } from './plan-sentence.ts';

const plan = {
  ...{ suspended: false, paidUntil: '2026-11-30', graceDays: 3 },
  ...{ numbersUsed: 2, numbersIncluded: 2, trial: null, endsSoon: false },
} as const;

test('an active plan shows its last paid day and the last day on which it sends', () => {
  const { tone, title, text } = planSentence({ ...plan, state: 'active' });
  expect(tone).toBe('ok');
  expect(title).toBe('Paid until 30 November 2026');
  expect(text).toContain('Sending works until the end of 3 December 2026.');
});

test('a plan that ends soon is a warning', () => {
  expect(planSentence({ ...plan, endsSoon: true, state: 'active' }).tone).toBe('warn');
});

test('a plan for fewer numbers than are linked does not claim that everything works', () => {
  const { tone, text } = planSentence({ ...plan, numbersUsed: 4, state: 'active' });
  expect(tone).toBe('warn');
  expect(text).toMatch(/^2 numbers are not in your plan/);
});

test('without days of grace, messages stop with the last day', () => {
  expect(planSentence({ ...plan, graceDays: 0, state: 'active' }).text).toContain(
    'Sending works until the end of 30 November 2026.',
  );
});

test('the last days of a plan say what stops, and on which day', () => {
  expect(planEnding({ paidUntil: '2026-11-30', graceDays: 3 })).toBe(
    'The plan is paid until 30 November 2026. Without a payment, sending stops at the end of 3 December 2026.',
  );
});

test('during grace it shows the payment deadline, and afterwards what stopped', () => {
  expect(planSentence({ ...plan, state: 'grace' }).title).toBe(
    'Your payment must arrive by 3 December 2026, or sending stops',
  );
  expect(planSentence({ ...plan, state: 'grace' }).text).toContain('until the end of 3 December 2026');
  expect(planSentence({ ...plan, state: 'expired' })).toMatchObject({
    tone: 'fail',
    title: 'Paid until 30 November 2026. Sending stopped at the end of 3 December 2026',
  });
});

test('a suspension comes before everything else', () => {
  expect(planSentence({ ...plan, suspended: true, state: 'active' }).title).toBe('This account is suspended');
});

test('an account without a plan reads what is left of its trial', () => {
  const { title, text } = planSentence({ ...plan, state: 'none', trial: { messagesLeft: 7 } });
  expect(title).toBe('You are trying Wirebird');
  expect(text).toContain('7 of 20 are left today');
  expect(planSentence({ ...plan, state: 'none' }).title).toBe('The plan is not enabled yet');
});

test('an account that cannot send says why, and one in its days of grace or in a trial can send', () => {
  const why = (of: Partial<Parameters<typeof whyNothingIsSent>[0]>) =>
    whyNothingIsSent({ state: 'active', suspended: false, trial: null, ...of });
  for (const state of ['active', 'grace'] as const) expect(why({ state })).toBeNull();
  for (const state of ['expired', 'ended'] as const)
    expect(why({ state })).toBe('The plan has ended, so nothing can be sent.');
  expect(why({ suspended: true })).toBe('This account is suspended, so nothing can be sent.');
  expect(why({ state: 'none' })).toBe('The plan is not enabled yet, so nothing can be sent.');
  expect(why({ state: 'none', trial: { messagesLeft: 5 } })).toBeNull();
});

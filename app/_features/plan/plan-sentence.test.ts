import { expect, test } from 'vitest';
import { planSentence, whyNothingIsSent } from './plan-sentence.ts';

const plan = {
  ...{ suspended: false, paidUntil: '2026-11-30', ends: '4 December 2026 at 00:00 (UTC)' },
  ...{ numbersUsed: 2, numbersIncluded: 2, trial: null, endsSoon: false },
} as const;

test('an active plan shows its last paid day, and when it ends without a payment', () => {
  const { tone, title, text } = planSentence({ ...plan, state: 'active' });
  expect(tone).toBe('ok');
  expect(title).toBe('Paid until 30 November 2026');
  expect(text).toBe(
    'Without a payment the plan ends on 4 December 2026 at 00:00 (UTC). After that, nothing is sent.',
  );
});

test('a plan that ends soon is a warning', () => {
  expect(planSentence({ ...plan, endsSoon: true, state: 'active' }).tone).toBe('warn');
});

test('a plan for fewer numbers than are linked does not claim that everything works', () => {
  const { tone, text } = planSentence({ ...plan, numbersUsed: 4, state: 'active' });
  expect(tone).toBe('warn');
  expect(text).toMatch(/^2 numbers are not in your plan/);
});

test('during grace it shows when it ends, and afterwards when it ended, in the same words', () => {
  const grace = planSentence({ ...plan, state: 'grace' });
  expect(grace.title).toBe('The plan ends on 4 December 2026 at 00:00 (UTC) if no payment arrives');
  expect(grace.text).toContain('It was paid until 30 November 2026.');
  expect(planSentence({ ...plan, state: 'expired' })).toMatchObject({
    tone: 'fail',
    title: 'The plan ended on 4 December 2026 at 00:00 (UTC)',
    text: expect.stringMatching(/^It was paid until 30 November 2026\. Nothing is sent/),
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

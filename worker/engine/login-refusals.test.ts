import { expect, test } from 'vitest';
import { classifyRefusal } from './login-refusals.ts';

const NOW = Date.UTC(2026, 0, 1);

test.each([
  ['101', 'sending too many messages to people who do not have this number'],
  ['102', 'being blocked by too many people'],
  ['103', 'making too many groups'],
  ['104', 'sending the same message to too many people'],
  ['106', 'broadcast lists'],
  ['999', 'breaking its terms of service'],
])('a ban with code %s has a reason and an end', (code, words) => {
  const judged = classifyRefusal({ reason: '402', code, expireSeconds: 60 }, NOW);
  expect(judged).toMatchObject({
    kind: 'blocked',
    linkGone: false,
    state: { until: NOW + 60_000, reason: expect.stringContaining(words) },
  });
});

test('a ban without an end waits for a person', () => {
  expect(classifyRefusal({ reason: '402', code: '101' }, NOW)).toMatchObject({ state: { until: null } });
});

test.each([
  ['403', /locked.*verify the number/],
  ['406', /banned.*review/],
])('%s waits for a person, and its stored session is useless', (reason, words) => {
  expect(classifyRefusal({ reason }, NOW)).toMatchObject({
    kind: 'blocked',
    linkGone: true,
    state: { until: null, reason: expect.stringMatching(words) },
  });
});

test.each(['400', '418', '500', '501', '503', '777'])(
  '%s is waited for, with its number in words',
  (reason) => {
    expect(classifyRefusal({ reason }, NOW)).toMatchObject({
      kind: 'waiting',
      words: expect.stringContaining(`(${reason})`),
    });
  },
);

test.each(['405', '409'])('%s has the page load itself again', (reason) => {
  expect(classifyRefusal({ reason }, NOW)).toMatchObject({ kind: 'reloading' });
});

test('401 means that the link is gone', () => {
  expect(classifyRefusal({ reason: '401' }, NOW)).toEqual({ kind: 'logged_out' });
});

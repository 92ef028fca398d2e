import { expect, test } from 'vitest';
import { classifyRefusal } from './login-refusals.ts';

const NOW = Date.UTC(2026, 0, 1);

test('a ban has WhatsApp’s code and an end', () => {
  expect(classifyRefusal({ reason: '402', code: '104', expireSeconds: 60 }, NOW)).toEqual({
    kind: 'blocked',
    linkGone: false,
    state: {
      state: 'blocked',
      until: NOW + 60_000,
      cause: { code: 'ban', why: '104', until: '2026-01-01T00:01:00.000Z', startsAgain: false },
    },
  });
});

test('a ban without an end waits for a person', () => {
  expect(classifyRefusal({ reason: '402', code: '101' }, NOW)).toMatchObject({ state: { until: null } });
});

test.each([
  ['403', 'locked'],
  ['406', 'banned'],
])('%s waits for a person, and its stored session is useless', (reason, code) => {
  expect(classifyRefusal({ reason }, NOW)).toMatchObject({
    kind: 'blocked',
    linkGone: true,
    state: { until: null, cause: { code } },
  });
});

test.each(['400', '418', '500', '501', '503', '777'])('%s is waited for', (reason) => {
  const cause =
    reason === '503' ? { code: 'service_unavailable' } : { code: 'login_refused', status: reason };
  expect(classifyRefusal({ reason }, NOW)).toEqual({ kind: 'waiting', cause });
});

test.each(['405', '409'])('%s has the page load itself again', (reason) => {
  expect(classifyRefusal({ reason }, NOW)).toMatchObject({ kind: 'reloading' });
});

test('401 means that the link is gone', () => {
  expect(classifyRefusal({ reason: '401' }, NOW)).toEqual({ kind: 'logged_out' });
});

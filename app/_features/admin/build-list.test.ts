import { expect, test } from 'vitest';
import { buildReason } from './build-list.tsx';

const tried = { state: 'tried', failedCheck: null, tryingLeftMs: 8 * 60_000 } as const;

test('a trial says when it ends: first for the self-test, then for a message', () => {
  expect(buildReason({ ...tried, verdict: null })).toContain('must pass within 8\u00a0min');
  expect(buildReason({ ...tried, verdict: 'passed' })).toContain('the trial ends in 8\u00a0min');
});

test('a failed build names the check, and a good one needs no reason', () => {
  const failed = { state: 'failed', verdict: 'failed', failedCheck: 'no gate', tryingLeftMs: 0 } as const;
  expect(buildReason(failed)).toBe('Self-test: no gate.');
  expect(buildReason({ ...failed, state: 'good', verdict: 'passed' })).toBeNull();
});

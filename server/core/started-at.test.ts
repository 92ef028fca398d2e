import { expect, test } from 'vitest';
import { startedAt } from './started-at.ts';

test('a request started its duration before its end', () => {
  expect(startedAt({ at: '2026-11-25T10:00:10.250Z', durationMs: 40_000 }).toISOString()).toBe(
    '2026-11-25T09:59:30.250Z',
  );
});

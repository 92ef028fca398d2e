import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createVisitorLog } from './line-budget.ts';
import { log } from './log.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test('a visitor causes at most sixty lines a minute, all visitors six hundred; the rest is one line with a count', () => {
  const lines = { info: 0, warn: [] as unknown[] };
  vi.spyOn(log, 'info').mockImplementation(() => void lines.info++);
  vi.spyOn(log, 'warn').mockImplementation((fields: unknown) => void lines.warn.push(fields));
  const logVisitor = createVisitorLog();
  for (let i = 0; i < 1_000; i++) logVisitor({ from: '192.0.2.1' }, 'refused');
  expect(lines.info).toBe(60);
  for (let i = 0; i < 1_000; i++) logVisitor({ from: `198.51.100.${i % 250}` }, 'refused');
  expect(lines.info).toBe(600);
  vi.advanceTimersByTime(60_000);
  expect(lines.warn).toEqual([{ count: 1_400 }]);
  logVisitor({ from: '192.0.2.1' }, 'refused');
  expect(lines.info).toBe(601);
});

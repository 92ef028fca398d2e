import { DrizzleQueryError } from 'drizzle-orm';
import { afterEach, expect, test, vi } from 'vitest';
import { log } from './log.ts';
import { logWhatOthersPrint } from './log-others.ts';

const printed = { error: console.error, warn: console.warn };
afterEach(() => {
  Object.assign(console, printed);
  vi.restoreAllMocks();
});

test('a library’s output is logged like our own errors, without attached objects', () => {
  const lines: unknown[][] = [];
  for (const level of ['error', 'warn'] as const)
    vi.spyOn(log, level).mockImplementation((...args: unknown[]) => void lines.push([level, ...args]));
  logWhatOthersPrint();
  const failed = new DrizzleQueryError('select 1', ['a secret text'], new Error('no connection'));
  console.error(failed);
  console.error('\u001b[31m⨯\u001b[39m', 'uncaughtException:', failed, { body: 'a secret text' });
  console.warn('mail to ann@example.org failed');
  expect(lines).toEqual([
    ['error', { err: failed }, 'a library has printed an error'],
    ['error', { err: failed }, '⨯ uncaughtException:  [object]'],
    ['warn', { err: undefined }, 'mail to [recipient] failed'],
  ]);
});

test('of more than 600 lines in a minute, the rest is counted', () => {
  vi.useFakeTimers();
  const lines: unknown[][] = [];
  vi.spyOn(log, 'error').mockImplementation((...args: unknown[]) => void lines.push(args));
  const counted = vi.spyOn(log, 'warn').mockImplementation(() => {});
  logWhatOthersPrint();
  for (let n = 0; n < 700; n += 1) console.error(`TRACE is not supported (${n})`);
  expect(lines).toHaveLength(600);
  vi.advanceTimersByTime(60_000);
  expect(counted).toHaveBeenCalledExactlyOnceWith({ count: 100 }, 'libraries printed more than is listed');
  vi.useRealTimers();
});

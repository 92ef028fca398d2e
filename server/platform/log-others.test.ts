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

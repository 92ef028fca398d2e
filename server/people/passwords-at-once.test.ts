import { availableParallelism } from 'node:os';
import { expect, test, vi } from 'vitest';
import { answerIn } from '#server/platform/answer-in-turns.ts';
import { hashPassword, matchesPassword, PASSWORDS_AT_ONCE } from './passwords.ts';

const work = vi.hoisted(() => {
  // Other tests of this process may have loaded it uncounted.
  vi.resetModules();
  return { running: 0, most: 0, done: 0 };
});

vi.mock('@node-rs/argon2', async (original) => {
  const real = await original<typeof import('@node-rs/argon2')>();
  const counted = async <T>(begin: () => Promise<T>): Promise<T> => {
    work.running += 1;
    work.most = Math.max(work.most, work.running);
    try {
      return await begin();
    } finally {
      work.running -= 1;
      work.done += 1;
    }
  };
  return {
    ...real,
    hash: (...args: Parameters<typeof real.hash>) => counted(() => real.hash(...args)),
    verify: (...args: Parameters<typeof real.verify>) => counted(() => real.verify(...args)),
  };
});

test('simultaneous passwords occupy at most two, and at most half, of the processors, for known and unknown users alike', async () => {
  const stored = await hashPassword('tinker gravel', []);
  work.done = 0;
  const answers = await Promise.all([
    ...[1, 2, 3, 4].map(() => matchesPassword(stored, 'tinker gravel', [])),
    ...[1, 2, 3, 4].map(() => matchesPassword(null, 'tinker gravel', [])),
    ...[1, 2].map(() => hashPassword('tinker gravel', [])),
  ]);
  expect(answers.slice(0, 8)).toEqual([true, true, true, true, false, false, false, false]);
  expect(PASSWORDS_AT_ONCE).toBeLessThanOrEqual(Math.max(1, Math.min(2, availableParallelism() / 2)));
  expect(work).toEqual({ running: 0, most: PASSWORDS_AT_ONCE, done: 10 });
});

test('a page’s place is free while its password waits and is hashed', async () => {
  const rest = vi.fn();
  const hashed = answerIn({ again: async () => {}, rest }, () => hashPassword('tinker gravel', []));
  expect(rest).toHaveBeenCalledOnce();
  await hashed;
});

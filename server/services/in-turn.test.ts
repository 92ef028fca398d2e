import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { inTurn } from './in-turn.ts';

afterEach(() => vi.useRealTimers());

const asked = () => Promise.withResolvers<string>();

test('works of one key follow one another in their order, and each gets its own answer', async () => {
  const log: string[] = [];
  const works = [asked(), asked(), asked()];
  const answers = works.map(({ promise }, n) =>
    inTurn('num_a', () => {
      log.push(`begins ${n}`);
      return promise;
    }),
  );
  await turn();
  expect(log).toEqual(['begins 0']);
  works[1]?.resolve('one');
  works[0]?.resolve('zero');
  await answers[1];
  await turn();
  expect(log).toEqual(['begins 0', 'begins 1', 'begins 2']);
  works[2]?.resolve('two');
  expect(await Promise.all(answers)).toEqual(['zero', 'one', 'two']);
});

test('another key does not wait', async () => {
  const never = inTurn('num_a', () => asked().promise);
  never.catch(() => {});
  expect(await inTurn('num_b', async () => 'at once')).toBe('at once');
});

test('a failure is its own caller’s alone', async () => {
  const failing = inTurn('num_c', () => Promise.reject(new Error('refused')));
  const next = inTurn('num_c', async () => 'goes on');
  await expect(failing).rejects.toThrow('refused');
  expect(await next).toBe('goes on');
});

test('nobody waits for ever for one who does not come to an end', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  void inTurn('num_d', () => asked().promise);
  let went = false;
  const next = inTurn('num_d', async () => {
    went = true;
  });
  await turn();
  expect(went).toBe(false);
  await vi.advanceTimersByTimeAsync(8000);
  await next;
  expect(went).toBe(true);
});

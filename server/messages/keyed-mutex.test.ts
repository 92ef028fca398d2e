import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { keyedMutex } from './keyed-mutex.ts';

afterEach(() => vi.useRealTimers());

const asked = () => Promise.withResolvers<string>();

test('tasks of one key run in order, and each returns its own result', async () => {
  const log: string[] = [];
  const works = [asked(), asked(), asked()];
  const answers = works.map(({ promise }, n) =>
    keyedMutex('num_a', () => {
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
  const never = keyedMutex('num_a', () => asked().promise);
  never.catch(() => {});
  expect(await keyedMutex('num_b', async () => 'at once')).toBe('at once');
});

test('a failure reaches only its own caller', async () => {
  const failing = keyedMutex('num_c', () => Promise.reject(new Error('refused')));
  const next = keyedMutex('num_c', async () => 'continues');
  await expect(failing).rejects.toThrow('refused');
  expect(await next).toBe('continues');
});

test('nobody waits forever for a task that never ends', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  void keyedMutex('num_d', () => asked().promise);
  let went = false;
  const next = keyedMutex('num_d', async () => {
    went = true;
  });
  await turn();
  expect(went).toBe(false);
  await vi.advanceTimersByTimeAsync(8000);
  await next;
  expect(went).toBe(true);
});

test('a caller that waits too long in a moving queue is refused, and its task does not run', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const works = [asked(), asked()];
  const before = works.map(({ promise }) => keyedMutex('num_e', () => promise));
  let went = false;
  const late = keyedMutex('num_e', async () => {
    went = true;
  });
  const refused = expect(late).rejects.toMatchObject({
    code: 'queue_full',
    details: { retryAfterSeconds: expect.any(Number) },
  });
  await vi.advanceTimersByTimeAsync(4000);
  works[0]?.resolve('zero');
  await vi.advanceTimersByTimeAsync(4000);
  await refused;
  works[1]?.resolve('one');
  expect(await Promise.all(before)).toEqual(['zero', 'one']);
  expect(went).toBe(false);
  expect(await keyedMutex('num_e', async () => 'continues')).toBe('continues');
});

test('a refused caller does not let another task overtake the running one', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const works = [asked(), asked()];
  const before = works.map(({ promise }) => keyedMutex('num_g', () => promise));
  let went = 0;
  const late = Array.from({ length: 5 }, () =>
    keyedMutex('num_g', async () => {
      went += 1;
    }),
  );
  const refused = Promise.all(late.map((one) => expect(one).rejects.toMatchObject({ code: 'queue_full' })));
  await vi.advanceTimersByTimeAsync(4000);
  works[0]?.resolve('zero');
  await vi.advanceTimersByTimeAsync(4000);
  await refused;
  const last = keyedMutex('num_g', async () => went);
  await turn();
  works[1]?.resolve('one');
  await Promise.all(before);
  expect(await last).toBe(0);
});

test('a queue holds a thousand tasks, and more are refused at once', async () => {
  const held = asked();
  const works = Array.from({ length: 1000 }, () => keyedMutex('num_f', () => held.promise));
  await expect(keyedMutex('num_f', async () => 'no')).rejects.toMatchObject({ code: 'queue_full' });
  held.resolve('yes');
  expect(new Set(await Promise.all(works))).toEqual(new Set(['yes']));
  expect(await keyedMutex('num_f', async () => 'free again')).toBe('free again');
});

import { describe, expect, test } from 'vitest';
import { createKeyedLimiter } from './limit.ts';

/** Tasks that end when the test says so, and a record of the order in which they began. */
function tasks() {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    begun,
    end: (name: string) => ends.get(name)?.(),
    task: (name: string) => () => {
      begun.push(name);
      const { promise, resolve } = Promise.withResolvers<void>();
      ends.set(name, resolve);
      return promise.then(() => name);
    },
  };
}

/** Lets everything that is ready continue. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('a keyed limiter', () => {
  test('runs at most its limit at once for a key, and other keys in parallel', async () => {
    const limit = createKeyedLimiter(2);
    const { begun, task, end } = tasks();
    const results = ['a1', 'a2', 'a3', 'a4', 'b1'].map((name) => limit(name.charAt(0), task(name)));
    await settle();
    expect(begun).toEqual(['a1', 'a2', 'b1']);
    end('a2');
    await settle();
    expect(begun).toEqual(['a1', 'a2', 'b1', 'a3']);
    for (const name of ['a1', 'a3', 'b1']) end(name);
    await settle();
    end('a4');
    expect(await Promise.all(results)).toEqual(['a1', 'a2', 'a3', 'a4', 'b1']);
  });

  test('is fair: a newcomer never overtakes a waiting task', async () => {
    const limit = createKeyedLimiter(1);
    const { begun, task, end } = tasks();
    void limit('a', task('1'));
    void limit('a', task('2'));
    await settle();
    end('1');
    void limit('a', task('3'));
    await settle();
    expect(begun).toEqual(['1', '2']);
    end('2');
    await settle();
    expect(begun).toEqual(['1', '2', '3']);
    end('3');
  });

  test('continues after a task that fails', async () => {
    const limit = createKeyedLimiter(1);
    await expect(limit('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await expect(
      limit('a', () => {
        throw new Error('at once');
      }),
    ).rejects.toThrow('at once');
    expect(await limit('a', async () => 'yes')).toBe('yes');
  });

  test('drops a caller that aborts while it waits, and runs the next', async () => {
    const limit = createKeyedLimiter(1);
    const { begun, task, end } = tasks();
    const controller = new AbortController();
    void limit('a', task('1'));
    const second = limit('a', task('2'), controller.signal);
    void limit('a', task('3'));
    controller.abort(new Error('left'));
    await expect(second).rejects.toThrow('left');
    expect(begun).toEqual(['1']);
    end('1');
    await settle();
    expect(begun).toEqual(['1', '3']);
    end('3');
    await expect(limit('a', task('4'), controller.signal)).rejects.toThrow('left');
    expect(begun).toEqual(['1', '3']);
  });
});

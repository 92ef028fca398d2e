import { expect, test } from 'vitest';
import { Limiter } from './limiter.ts';

test('at most the given number of tasks run at once, and all run in order', async () => {
  const gate = new Limiter(2);
  let running = 0;
  let most = 0;
  const order: number[] = [];
  await Promise.all(
    [1, 2, 3, 4, 5].map((n) =>
      gate.run(async () => {
        running += 1;
        most = Math.max(most, running);
        order.push(n);
        await Promise.resolve();
        running -= 1;
      }),
    ),
  );
  expect({ most, order }).toEqual({ most: 2, order: [1, 2, 3, 4, 5] });
});

test('a task that fails frees its place', async () => {
  const gate = new Limiter(1);
  await expect(gate.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  await expect(gate.run(() => Promise.resolve('next'))).resolves.toBe('next');
});

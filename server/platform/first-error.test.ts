import { expect, test } from 'vitest';
import { firstError } from './first-error.ts';

test('a failed clean-up does not hide the error before it', async () => {
  const failing = async () => {
    await using first = new AsyncDisposableStack();
    await using second = new AsyncDisposableStack();
    for (const [place, stack] of [first, second].entries())
      stack.defer(() => Promise.reject(new Error(`clean-up ${place}`)));
    throw new Error('the disk is full');
  };
  expect(firstError(await failing().catch((error) => error))).toEqual(new Error('the disk is full'));
  expect(firstError('text')).toBe('text');
});

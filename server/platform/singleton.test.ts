import { expect, test } from 'vitest';
import { forgetSingletons, singleton } from './singleton.ts';

test('a value is made once, and once more after it was forgotten', () => {
  let made = 0;
  const value = singleton('made by this test', () => ++made);
  expect([value(), value()]).toEqual([1, 1]);
  forgetSingletons();
  expect([value(), value()]).toEqual([2, 2]);
});

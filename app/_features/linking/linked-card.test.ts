import { expect, test } from 'vitest';
import { nextStep } from './linked-card.tsx';

test('after linking, a decision about waiting messages comes first', () => {
  expect(nextStep({ decides: true, onTrial: false, keys: 0 })).toBe('decide');
});

test('after linking, a key is created only if the number has no valid one', () => {
  expect(nextStep({ decides: false, onTrial: false, keys: 0 })).toBe('key');
  expect(nextStep({ decides: false, onTrial: false, keys: 2 })).toBe('number');
  expect(nextStep({ decides: false, onTrial: false, keys: undefined })).toBeNull();
});

test('a number on trial sends from the dashboard, because keys need a plan', () => {
  expect(nextStep({ decides: false, onTrial: true, keys: 0 })).toBe('try');
});

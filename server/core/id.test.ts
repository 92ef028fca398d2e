import { expect, test } from 'vitest';
import { newId } from './id.ts';

test('ids show their kind, sort by age and are unique', () => {
  const ids = Array.from({ length: 1000 }, (_, i) => newId('message', 1_700_000_000_000 + i));
  expect(ids.every((id) => /^msg_[0-9a-hjkmnp-tv-z]{26}$/.test(id))).toBe(true);
  expect([...ids].sort()).toEqual(ids);
  expect(new Set(Array.from({ length: 1000 }, () => newId('key', 0))).size).toBe(1000);
});

import { expect, test } from 'vitest';
import { storableStart } from './storable.ts';

test('a pair that the cut halves, a lone half and NUL become U+FFFD', () => {
  expect(storableStart('ab\u{1f426}', 3)).toBe('ab\uFFFD');
  expect(storableStart('ab\u{1f426}', 4)).toBe('ab\u{1f426}');
  expect(storableStart('\ud83d\0', 9)).toBe('\uFFFD\uFFFD');
});

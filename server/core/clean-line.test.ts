import { expect, test } from 'vitest';
import { cleanLine } from './clean-line.ts';

test.each([
  ['  Orders \n desk\t', 'Orders desk'],
  ['exe\u202efdp', 'exefdp'],
  ['a\u200bb\ufeffc', 'abc'],
  ['👩\u200d🚀 crew', '👩\u200d🚀 crew'],
  ['میز\u200cها', 'میز\u200cها'],
  [
    '🏴\u{e0067}\u{e0062}\u{e0077}\u{e006c}\u{e0073}\u{e007f}',
    '🏴\u{e0067}\u{e0062}\u{e0077}\u{e006c}\u{e0073}\u{e007f}',
  ],
  [' \u200c\u200d ', ''],
  ['half \ud83d of a pair', 'half of a pair'],
  [' \n ', ''],
])('a label is one visible line: %j', (text, clean) => {
  expect(cleanLine('The label', text)).toBe(clean);
});

test('a label has at most 100 characters, counted as code points', () => {
  expect(cleanLine('The label', '🐦'.repeat(100))).toBe('🐦'.repeat(100));
  expect(() => cleanLine('The label', '🐦'.repeat(101))).toThrow(
    'The label may have at most 100 characters.',
  );
});

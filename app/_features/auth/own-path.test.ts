import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ownPath } from './own-path.ts';

/** The URL that a browser would open. */
const goesTo = (next: string) => new URL(ownPath(next), 'https://send.example').origin;

test.each(['/numbers', '/messages?status=failed&search=a%2Fb', '/admin/accounts/acc_1#keys', '/'])(
  '%s is kept as it is',
  (path) => expect(ownPath(path)).toBe(path),
);

test.each([
  '//host',
  '/\\host',
  '\\\\host',
  '/\t/host',
  '/\n//host',
  '\t//host',
  ' //host',
  '/.//host',
  '/x/..//host',
  '/./\\host',
  '/%2e//host',
  'http://host',
  'https:host',
  'javascript:alert(1)',
  'data:text/html,x',
  '///host',
  '/\u0000/host',
  'http://own.invalid@host/',
  'http://[',
])('%j stays on this site', (next) => {
  expect(goesTo(next)).toBe('https://send.example');
  expect(ownPath(next)).toMatch(/^\/(?!\/)/);
});

test('no text redirects away from the site', () => {
  const part = fc.constantFrom(
    '/',
    '\\',
    '.',
    '..',
    '\t',
    '\n',
    '\r',
    ' ',
    'host',
    ':',
    '@',
    '%2f',
    '%5c',
    '?',
    '#',
    'http',
    '\u0000',
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.array(part, { maxLength: 8 }).map((parts) => parts.join('')),
        fc.string({ unit: 'binary' }),
      ),
      (next) => {
        expect(goesTo(next)).toBe('https://send.example');
      },
    ),
    { numRuns: 5_000 },
  );
});

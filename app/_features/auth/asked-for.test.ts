import { expect, test } from 'vitest';
import { pathAsked, signInFor } from './asked-for.ts';

test.each([
  ['/numbers/num_1', '', '/numbers/num_1'],
  ['/messages', '?status=failed&q=a%26b', '/messages?status=failed&q=a%26b'],
  ['/messages', '?status=failed&_rsc=1abc', '/messages?status=failed'],
  ['/numbers', '?_rsc=1abc', '/numbers'],
])('sign-in continues to %s%s', (pathname, search, path) => {
  expect(pathAsked({ pathname, search })).toBe(path);
  expect(new URLSearchParams(signInFor(path).split('?')[1]).get('next')).toBe(path);
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { restPathOf } from './path.ts';

test.each([
  ['/', null],
  ['/v10/status', null],
  ['/v1x', null],
  ['/api/v1/status', null],
  ['/docs?next=/v1/status', null],
  ['/x#/v1/', null],
  ['*', null],
  ['/v1', ''],
  ['/v1/status//?x#y', '/status'],
  ['https://host.example/v1/messages/text', '/messages/text'],
  ['https://host.example', null],
])('the target %s is %s', (target, path) => {
  expect(restPathOf(target)).toBe(path);
});

test('any spelling that a lenient parser reads as /v1 is ours, and no target breaks it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.webUrl({ withFragments: true }), (junk, url) => {
      restPathOf(junk);
      restPathOf(url);
      expect(restPathOf(`/v1/${junk}`)).not.toBeNull();
      const { pathname } = new URL(`/${junk.replace(/^[/\\]+/, '')}`, 'http://x');
      if (/^\/v1(\/|$)/.test(pathname)) expect(restPathOf(`/${junk}`)).not.toBeNull();
    }),
    { numRuns: 500 },
  );
});

import { expect, test } from 'vitest';
import type { Cause } from '#server/core/number/cause.ts';
import { isLinkable, isOnlyLinked } from './number-sentence.ts';

test('a refused number must be linked again only when its link has ended for good', () => {
  const blocked = (cause: Cause | null) => isLinkable({ status: 'BLOCKED', cause, stranded: false });
  expect([blocked({ code: 'locked' }), blocked({ code: 'banned' })]).toEqual([true, true]);
  expect(blocked({ code: 'ban', why: '101', until: null, startsAgain: false })).toBe(false);
  expect(blocked(null)).toBe(false);
});

test('a connected number of an ended plan is only linked', () => {
  expect(isOnlyLinked({ status: 'CONNECTED', access: 'expired' })).toBe(true);
  expect(isOnlyLinked({ status: 'CONNECTED', access: 'ok' })).toBe(false);
  expect(isOnlyLinked({ status: 'LOGGED_OUT', access: 'expired' })).toBe(false);
});

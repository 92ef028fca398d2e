import { expect, test } from 'vitest';
import { LINK_ENDED } from '#server/core/link-ended.ts';
import { isLinkable, isOnlyLinked } from './number-sentence.ts';

test('a refused number must be linked again only when its link has ended for good', () => {
  const blocked = (statusReason: string | null) =>
    isLinkable({ status: 'BLOCKED', statusReason, stranded: false });
  expect(Object.values(LINK_ENDED).map(blocked)).toEqual([true, true]);
  expect(blocked('WhatsApp has banned this number for a while.')).toBe(false);
  expect(blocked(null)).toBe(false);
});

test('a connected number of an ended plan is only linked', () => {
  expect(isOnlyLinked({ status: 'CONNECTED', access: 'expired' })).toBe(true);
  expect(isOnlyLinked({ status: 'CONNECTED', access: 'ok' })).toBe(false);
  expect(isOnlyLinked({ status: 'LOGGED_OUT', access: 'expired' })).toBe(false);
});

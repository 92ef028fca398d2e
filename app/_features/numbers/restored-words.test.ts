import { expect, test } from 'vitest';
import { filtersOf, inputOf } from '#app/_features/messages/filters.ts';
import { restoredHref, restoredNote } from './restored-words.ts';

test('the note about a restore says how many messages are unknown and how many expired', () => {
  expect(restoredNote.unknown(11)).toBe(
    '11 messages are unknown since the restore and may have arrived. Look at their chats on the phone before you send them again.',
  );
  expect(restoredNote.unknown(1)).toMatch(/^1 message is unknown .* its chat .* send it again\.$/);
  expect(restoredNote.expired(1, 0)).toBe('1 message was not sent and expired by a restore.');
  expect(restoredNote.expired(2, 2)).toBe('2 messages were not sent and expired by a move.');
  expect(restoredNote.expired(13, 9)).toBe(
    '13 messages were not sent and expired: 4 by a restore, 9 by a move.',
  );
});

test('its link lists such messages of this number, from the oldest to the newest', () => {
  const [oldest, newest] = [new Date('2026-03-20T00:30:00Z'), new Date('2026-03-20T23:30:00Z')];
  const href = restoredHref({ numberId: 'num_1', status: 'unknown' }, oldest, newest);
  const input = inputOf(filtersOf(new URL(href, 'https://example.org').searchParams));
  const { since = '', until = '', ...rest } = input as typeof input & { since?: string; until?: string };
  expect(rest).toEqual({ numberId: 'num_1', status: 'unknown' });
  expect(new Date(since).getTime()).toBeLessThan(oldest.getTime());
  expect(new Date(until).getTime()).toBeGreaterThan(newest.getTime());
});

import { expect, test } from 'vitest';
import { filtersOf, inputOf } from '#app/_features/messages/filters.ts';
import { cancelledHref, cancelledNote } from './cancelled-words.ts';

test('the note about cancelled messages says how many, why, and that they are not sent', () => {
  expect(cancelledNote.text(5, true)).toBe(
    '5 messages were cancelled when the phone number was changed. They are not sent unless you send them again.',
  );
  expect(cancelledNote.text(1, false)).toBe(
    '1 message was cancelled when this number was unlinked. It is not sent unless you send it again.',
  );
});

test('its link lists exactly such messages of this number, from the oldest on', () => {
  const oldest = new Date('2026-03-20T00:30:00Z');
  const { searchParams } = new URL(cancelledHref('num_1', oldest), 'https://example.org');
  const { since, ...input } = inputOf(filtersOf(searchParams)) as ReturnType<typeof inputOf> & {
    since: string;
  };
  expect(input).toEqual({ numberId: 'num_1', status: 'cancelled', errorCode: 'unlinked' });
  expect(new Date(since).getTime()).toBeLessThan(oldest.getTime());
});

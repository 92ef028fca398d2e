import { expect, test } from 'vitest';
import { countedSince, health } from './health-words.ts';

const now = new Date('2026-03-20T12:00:00Z');
const since = (linkedAt: string | null) => countedSince(linkedAt, now);

test('the figures of a phone number that was linked lately say since when they count', () => {
  expect(health.notTakenOf(1, 4, since('2026-03-19T12:00:00Z'))).toBe(
    '1 of 4 messages given to WhatsApp since this phone number was linked',
  );
  expect(health.newOf(0, 0, since('2026-03-19T12:00:00Z'))).toBe(
    'No message since this phone number was linked',
  );
  expect(health.newOf(2, 3, since('2026-03-01T12:00:00Z'))).toBe('2 of 3 people in 7 days');
  expect(health.notTakenOf(0, 0, since(null))).toBe('No message in 7 days');
});

import { expect, test } from 'vitest';
import { isKnownLater, sentTime } from './known-later.ts';

const at = (minute: number) => `2026-03-01T08:${String(minute).padStart(2, '0')}:00.000Z`;
const timelineOf = (...events: string[]) => events.map((event, minute) => ({ event, at: at(minute) }));
const later = (timeline: ReturnType<typeof timelineOf>) =>
  timeline.filter((entry) => isKnownLater(timeline, entry)).map(({ event }) => event);

test('only the outcome of a message that was unknown before became known at its time', () => {
  expect(later(timelineOf('accepted', 'slot_claimed', 'sent', 'delivered', 'read'))).toEqual([]);
  expect(later(timelineOf('accepted', 'slot_claimed', 'unknown', 'read'))).toEqual(['read']);
  expect(later(timelineOf('accepted', 'slot_claimed', 'unknown', 'repeated', 'sent', 'read'))).toEqual([
    'sent',
  ]);
  expect(later(timelineOf('accepted', 'slot_claimed', 'unknown'))).toEqual([]);
});

test('a message that was unknown is shown at the time of its turn, not at the time when its outcome became known', () => {
  const createdAt = at(0);
  const timeline = timelineOf('accepted', 'slot_claimed', 'unknown', 'read');
  expect(sentTime({ createdAt, sentAt: at(3), timeline })).toBe(at(1));
  const usual = timelineOf('accepted', 'slot_claimed', 'sent', 'read');
  expect(sentTime({ createdAt, sentAt: at(2), timeline: usual })).toBe(at(2));
  expect(sentTime({ createdAt, sentAt: null, timeline: timelineOf('accepted') })).toBe(createdAt);
});

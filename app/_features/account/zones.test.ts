import { expect, test } from 'vitest';
import { zoneName } from '#app/_components/ui/times-in.tsx';
import { allZones, clockIn, offsetOf } from './zones.ts';

const at = new Date('2026-01-05T23:30:00Z');

test('a zone shows its city, its clock and its offset from UTC', () => {
  expect(zoneName('America/New_York')).toBe('America/New York');
  expect(clockIn('Asia/Tokyo', at)).toMatch(/^Tue,? 08:30$/);
  expect(offsetOf('Asia/Tokyo', at)).toBe('UTC+09:00');
  expect(offsetOf('Asia/Kathmandu', at)).toBe('UTC+05:45');
  expect(offsetOf('UTC', at)).toBe('UTC+00:00');
});

test('every zone is offered once', () => {
  const zones = allZones();
  expect(new Set(zones).size).toBe(zones.length);
  expect(zones).toContain('Europe/Berlin');
  expect(zones[0]).toBe('UTC');
});

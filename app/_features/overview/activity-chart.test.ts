import { expect, test } from 'vitest';
import { axisOf, niceTop, timeOf } from './activity-chart.tsx';

const days = (count: number) =>
  Array.from({ length: count }, (_, n) => ({
    at: `${new Date(Date.UTC(2026, 8, 1 + n)).toISOString().slice(0, 10)}T00:00`,
  }));

test('the axis has a label every few steps, and none beside the current one', () => {
  expect(axisOf(days(7), '7d').map(({ label }) => label)).toEqual(['Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']);
  expect(axisOf(days(30), '30d').map(({ index }) => index)).toEqual([0, 7, 14, 21]);
  expect(axisOf(days(90), '90d').map(({ index }) => index)).toEqual([0, 21, 42, 63]);
  const hours = Array.from({ length: 24 }, (_, n) => ({ at: `2026-11-23T${String(n).padStart(2, '0')}:00` }));
  expect(axisOf(hours, '24h').map(({ label }) => label)).toEqual(['00:00', '06:00', '12:00', '18:00']);
});

test('an hour and a day are named on the clock that the server counted by', () => {
  expect(timeOf('2026-11-23T14:00', 'hour')).toBe('Mon 23 Nov, 14:00');
  expect(timeOf('2026-11-23T00:00', 'day')).toBe('Mon 23 Nov');
});

test('the scale ends at a multiple of three that is easy to read', () => {
  expect([0, 3, 4, 16, 31, 200].map(niceTop)).toEqual([3, 3, 6, 30, 60, 300]);
});

import { expect, test } from 'vitest';
import { flatten, grew, type Line, slopeOf, tableOf } from './soak-growth.ts';

const run = (minutes: number, value: (minute: number) => number): Line[] =>
  Array.from({ length: minutes }, (_, n) => ({ minute: n + 1, figures: { mb: value(n + 1) } }));

test('a slope is per hour, with the error of its points', () => {
  const line = [0, 30, 60].map((minute) => ({ minute, value: 100 + minute }));
  expect(slopeOf(line)).toEqual({ perHour: 60, error: 0 });
  expect(slopeOf(line.slice(0, 2)).perHour).toBeNaN();
});

test('the table compares minute 5, the middle and the end; the slope leaves out what happened before minute 10', () => {
  const lines = run(61, (minute) => (minute < 10 ? 500 : 100 + minute));
  expect(tableOf(lines)).toEqual({ mb: { start: 500, middle: 133, end: 161, perHour: 60 } });
});

test('a figure that could not be read is left out', () => {
  const lines = run(30, () => 7);
  const last = lines.at(-1);
  if (last) last.figures.mb = null;
  expect(tableOf(lines)).toEqual({ mb: { start: 7, middle: 7, end: null, perHour: 0 } });
});

test('growth is more than noise, and notable', () => {
  const noise = (minute: number) => (minute % 2) * 20;
  expect(
    grew(
      run(120, (minute) => 100 + minute / 4),
      'mb',
    ),
  ).toBe(true);
  expect(
    grew(
      run(120, (minute) => 100 + noise(minute)),
      'mb',
    ),
  ).toBe(false);
  expect(
    grew(
      run(120, (minute) => 1000 + minute / 100),
      'mb',
    ),
  ).toBe(false);
  expect(
    grew(
      run(3, (minute) => minute),
      'mb',
    ),
  ).toBeNull();
});

test('nested figures get the names of their paths', () => {
  expect(flatten({ web: { mb: 3, lag: Number.NaN }, at: 'noon' })).toEqual({ 'web.mb': 3, 'web.lag': null });
});

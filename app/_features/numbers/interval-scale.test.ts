import { expect, test } from 'vitest';
import { intervalAt, intervalPlace, intervalStep, slotsAtOnce } from './interval-scale.ts';

test('the scale runs from the shortest to the longest interval', () => {
  expect(intervalAt(0)).toBe(5);
  expect(intervalAt(1)).toBe(600);
});

test('every step converts to a position and back', () => {
  for (const seconds of [5, 6, 8, 29, 30, 35, 115, 120, 150, 600]) {
    expect(intervalAt(intervalPlace(seconds))).toBe(seconds);
  }
});

test('arrow keys step by 1 s up to 30 s, then by 5 s, and by 30 s from 2 minutes', () => {
  expect(intervalStep(29, 'ArrowRight')).toBe(30);
  expect(intervalStep(30, 'ArrowRight')).toBe(35);
  expect(intervalStep(30, 'ArrowLeft')).toBe(29);
  expect(intervalStep(120, 'ArrowRight')).toBe(150);
  expect(intervalStep(120, 'ArrowLeft')).toBe(115);
  expect(intervalStep(33, 'ArrowRight')).toBe(35);
});

test('no key moves outside the range', () => {
  expect(intervalStep(600, 'PageUp')).toBe(600);
  expect(intervalStep(5, 'PageDown')).toBe(5);
  expect(intervalStep(8, 'End')).toBe(600);
  expect(intervalStep(8, 'Home')).toBe(5);
  expect(intervalStep(8, 'Tab')).toBe(null);
});

test('as many sync requests are promised a slot as admission lets in', () => {
  // With 8 s and the time until each acknowledgement: at 0, 8.25, 16.5, 24.75 and 33 s.
  const atOnce = (sendIntervalSeconds: number, spread = false) =>
    slotsAtOnce({ sendIntervalSeconds, protected: spread }).length;
  expect(slotsAtOnce({ sendIntervalSeconds: 8, protected: false })).toEqual([0, 8250, 16500, 24750, 33000]);
  expect(atOnce(39)).toBe(2);
  expect(atOnce(600)).toBe(1);
  // Irregular intervals count as the longest: at 0, 10.65, 21.3 and 31.95 s.
  expect(atOnce(8, true)).toBe(4);
});

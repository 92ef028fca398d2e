import { expect, test } from 'vitest';
import { matches } from './pick-match.ts';

test('every word is found, in any order, case and accents', () => {
  expect(matches('paulo sao', 'America/São Paulo')).toBe(true);
  expect(matches('', 'anything')).toBe(true);
  expect(matches(' +05:30 ', 'Asia/Kolkata UTC+05:30')).toBe(true);
});

test('a single word without a match finds nothing', () => {
  expect(matches('berlin asia', 'Europe/Berlin')).toBe(false);
});

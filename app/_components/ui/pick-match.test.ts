import { expect, test } from 'vitest';
import { matches } from './pick-match.ts';

test('all words are found in any order, whatever their case and accents', () => {
  expect(matches('paulo sao', 'America/São Paulo')).toBe(true);
  expect(matches('', 'anything')).toBe(true);
  expect(matches(' +05:30 ', 'Asia/Kolkata UTC+05:30')).toBe(true);
});

test('one word that is not there finds nothing', () => {
  expect(matches('berlin asia', 'Europe/Berlin')).toBe(false);
});

import { expect, test } from 'vitest';
import { plan } from './words.ts';

const { price, questions } = plan.request;

test('a request for a plan says what it costs for a month and for a year, and where questions go', () => {
  expect(price(25, 1)).toBe('1 number costs 25 euros a month, or 300 euros a year.');
  expect(price(25, 4)).toBe('4 numbers cost 100 euros a month, or 1,200 euros a year.');
  expect(questions('Ann, ann@heron.example')).toBe('If you have questions, contact Ann, ann@heron.example.');
  expect(questions('')).toContain('write them in the note');
});

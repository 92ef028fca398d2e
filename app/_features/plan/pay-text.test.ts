import { expect, test } from 'vitest';
import { linked } from './pay-text.tsx';

test('an https address becomes a link, without a trailing full stop', () => {
  expect(linked('Pay at https://pay.example/x?a=1. Thanks')).toEqual([
    { piece: 'Pay at ' },
    { piece: 'https://pay.example/x?a=1', href: 'https://pay.example/x?a=1' },
    { piece: '. Thanks' },
  ]);
});

test('nothing else becomes a link', () => {
  const text = '<a href="javascript:alert(1)">x</a> javascript:alert(1) http://plain.example https://';
  expect(linked(text).filter(({ href }) => href !== undefined)).toEqual([]);
  expect(
    linked(text)
      .map(({ piece }) => piece)
      .join(''),
  ).toBe(text);
});

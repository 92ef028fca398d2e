import { expect, test } from 'vitest';
import { isSameOrigin } from './same-origin.ts';

const PUBLIC = 'https://send.example';
const asked = (headers: Record<string, string>) => isSameOrigin(new Headers(headers), PUBLIC);

test('our own page may call', () => {
  expect(asked({ 'sec-fetch-site': 'same-origin', origin: 'https://send.example' })).toBe(true);
  expect(asked({ origin: 'https://send.example' })).toBe(true);
});

test('a page opened under another name of this host may call', () => {
  expect(
    asked({ 'sec-fetch-site': 'same-origin', origin: 'http://127.0.0.1:3000', host: '127.0.0.1:3000' }),
  ).toBe(true);
});

test.each<Record<string, string>>([
  { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
  { 'sec-fetch-site': 'same-site', origin: 'https://other.send.example' },
  { 'sec-fetch-site': 'none' },
  { origin: 'https://evil.example', host: 'send.example' },
  { origin: 'http://send.example', host: 'send.example' },
  { origin: 'null', host: 'send.example' },
  { origin: 'https://send.example.evil.example', host: 'send.example' },
])('no other page may call: %o', (headers) => {
  expect(asked(headers)).toBe(false);
});

import { expect, test } from 'vitest';
import { clientAddress } from './client-address.ts';

test('only the last hop is believed: all others are the caller’s own claim', () => {
  expect(clientAddress(new Headers({ 'x-forwarded-for': '10.0.0.1, 203.0.113.24' }))).toBe('203.0.113.24');
  expect(clientAddress({ 'x-forwarded-for': ['10.0.0.1', '203.0.113.24'] })).toBe('203.0.113.24');
});

test('an IPv4 address is written as one', () => {
  expect(clientAddress({ 'x-forwarded-for': '::ffff:203.0.113.24' })).toBe('203.0.113.24');
});

test('a port that a proxy adds is no part of an address', () => {
  expect(clientAddress({ 'x-forwarded-for': '203.0.113.24:50123' })).toBe('203.0.113.24');
  expect(clientAddress({ 'x-forwarded-for': '[2001:db8::7]:50123' })).toBe('2001:db8::7');
});

test('no header is no address', () => {
  expect(clientAddress(new Headers())).toBe(null);
  expect(clientAddress(undefined)).toBe(null);
  expect(clientAddress({ 'x-forwarded-for': ' ' })).toBe(null);
});

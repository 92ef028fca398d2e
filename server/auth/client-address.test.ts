import { expect, test } from 'vitest';
import { clientAddress } from './client-address.ts';

test('only the last hop is trusted: the caller could have written all others', () => {
  expect(clientAddress(new Headers({ 'x-forwarded-for': '10.0.0.1, 203.0.113.24' }))).toBe('203.0.113.24');
  expect(clientAddress({ 'x-forwarded-for': ['10.0.0.1', '203.0.113.24'] })).toBe('203.0.113.24');
});

test('an IPv4-mapped address is written as IPv4', () => {
  expect(clientAddress({ 'x-forwarded-for': '::ffff:203.0.113.24' })).toBe('203.0.113.24');
});

test('a port that a proxy adds is removed from the address', () => {
  expect(clientAddress({ 'x-forwarded-for': '203.0.113.24:50123' })).toBe('203.0.113.24');
  expect(clientAddress({ 'x-forwarded-for': '[2001:db8::7]:50123' })).toBe('2001:db8::7');
});

test('without the header there is no address', () => {
  expect(clientAddress(new Headers())).toBe(null);
  expect(clientAddress(undefined)).toBe(null);
  expect(clientAddress({ 'x-forwarded-for': ' ' })).toBe(null);
});

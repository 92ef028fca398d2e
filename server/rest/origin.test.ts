import { expect, test } from 'vitest';
import { callerAddress, refusePlainHttp } from './origin.ts';
import type { RestRequest } from './request.ts';

function request(given: {
  peer: string | null;
  headers?: Record<string, string>;
  encrypted?: boolean;
}): RestRequest {
  const headers = Object.fromEntries(
    Object.entries(given.headers ?? {}).map(([name, value]) => [name, [value]]),
  );
  return {
    method: 'GET',
    target: '/v1/status',
    headers,
    peerAddress: given.peer,
    encrypted: given.encrypted ?? false,
    read: async () => new Uint8Array(),
    signal: () => new AbortController().signal,
  };
}

const HTTP = { 'x-forwarded-proto': 'http' };
const HTTPS = { 'x-forwarded-proto': 'https' };
const FROM = { 'x-forwarded-for': '198.51.100.7' };

test.each([
  { peer: '127.0.0.1', trust: false },
  { peer: '127.8.9.1', trust: false },
  { peer: '::1', trust: false },
  { peer: '::ffff:127.0.0.1', trust: false },
  { peer: '127.0.0.1', trust: true },
  { peer: '10.0.0.5', trust: true, headers: HTTPS },
  { peer: '10.0.0.5', trust: true, headers: { 'x-forwarded-proto': 'http, HTTPS' } },
  { peer: '203.0.113.9', trust: false, encrypted: true },
])('served: %j', ({ trust, ...given }) => {
  expect(() => refusePlainHttp(request(given), trust)).not.toThrow();
});

test.each([
  { peer: '192.168.1.7', trust: false },
  { peer: '203.0.113.9', trust: false, headers: HTTPS },
  { peer: null, trust: false },
  { peer: 'not an address', trust: false },
  { peer: '127.0.0.1', trust: true, headers: HTTP },
  { peer: '127.0.0.1', trust: true, headers: FROM },
  { peer: '127.0.0.1', trust: true, headers: { 'x-forwarded-proto': 'https, http' } },
  { peer: '10.0.0.5', trust: true },
])('refused as plain HTTP: %j', ({ trust, ...given }) => {
  expect(() => refusePlainHttp(request(given), trust)).toThrow(
    expect.objectContaining({ code: 'invalid_parameters' }),
  );
});

test.each([
  { peer: '::ffff:198.51.100.7', trust: false, counted: '198.51.100.7' },
  {
    peer: '198.51.100.7',
    trust: false,
    headers: { 'x-forwarded-for': '203.0.113.9' },
    counted: '198.51.100.7',
  },
  {
    peer: '10.0.0.5',
    trust: true,
    headers: { 'x-forwarded-for': '1.2.3.4, 198.51.100.7' },
    counted: '198.51.100.7',
  },
  {
    peer: '10.0.0.5',
    trust: true,
    headers: { 'x-forwarded-for': '198.51.100.7:4711' },
    counted: '198.51.100.7',
  },
  {
    peer: '10.0.0.5',
    trust: true,
    headers: { 'x-forwarded-for': '[2001:db8:1:2::3]:4711' },
    counted: '2001:db8:1:2::/64',
  },
  { peer: '10.0.0.5', trust: true, headers: { 'x-forwarded-for': 'unknown' }, counted: '10.0.0.5' },
  { peer: '2001:db8:1:2:3:4:5:6', trust: false, counted: '2001:db8:1:2::/64' },
  { peer: null, trust: false, counted: 'unknown' },
])('counts under $counted: %j', ({ trust, counted, ...given }) => {
  expect(callerAddress(request(given), trust)).toBe(counted);
});

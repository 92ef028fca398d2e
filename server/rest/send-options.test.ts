import { expect, test } from 'vitest';
import type { RestRequest } from './request.ts';
import { readSendOptions } from './send-options.ts';

function options(headers: Record<string, string>, now = new Date()) {
  const request: RestRequest = {
    method: 'POST',
    target: '/v1/messages/text',
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
    peerAddress: null,
    encrypted: false,
    read: async () => new Uint8Array(),
    signal: () => new AbortController().signal,
  };
  return readSendOptions(request, undefined, now);
}

const SYNC = { kind: 'sync', expiresInSeconds: null };
const ASYNC = { kind: 'async', expiresInSeconds: null };

test.each([
  ['', SYNC],
  ['respond-async', ASYNC],
  ['Respond-Async', ASYNC],
  ['handling=lenient, respond-async; foo', ASYNC],
  ['wait=10', { kind: 'wait', waitSeconds: 10, expiresInSeconds: null }],
  ['wait = "10"', { kind: 'wait', waitSeconds: 10, expiresInSeconds: null }],
  ['respond-async, wait=5', { kind: 'wait', waitSeconds: 5, expiresInSeconds: null }],
  ['wait=5, wait=9', { kind: 'wait', waitSeconds: 5, expiresInSeconds: null }],
  ['wait=0', ASYNC],
  ['wait=-1', SYNC],
  ['wait=soon', SYNC],
  ['wait', SYNC],
  ['wait=1e3, respond-async', ASYNC],
  ['return=minimal', SYNC],
])('Prefer: %s', (prefer, mode) => {
  expect(options({ prefer }).mode).toEqual(mode);
});

test('X-Expires-In applies to each way to wait', () => {
  const expiring = (prefer: string) => options({ prefer, 'x-expires-in': '60' }).mode;
  expect(expiring('respond-async')).toEqual({ ...ASYNC, expiresInSeconds: 60 });
  expect(expiring('wait=5')).toEqual({ kind: 'wait', waitSeconds: 5, expiresInSeconds: 60 });
  expect(expiring('')).toEqual({ ...SYNC, expiresInSeconds: 60 });
});

test.each(['a', 'x'.repeat(255), '8f14e45f-ceea-467f-a0e6-0123456789ab', '~ !'])(
  'the Idempotency-Key %s is known by its hash alone, which is always the same',
  (key) => {
    const { idempotencyKey } = options({ 'idempotency-key': key });
    expect(idempotencyKey).toMatch(/^[\w-]{43}$/);
    expect(options({ 'idempotency-key': key }).idempotencyKey).toBe(idempotencyKey);
    expect(options({ 'idempotency-key': `${key.slice(1)}b` }).idempotencyKey).not.toBe(idempotencyKey);
  },
);

test('X-Send-At is judged by the given clock, not by that of this process', () => {
  const at = (time: string) => () => options({ 'x-send-at': time }, new Date('2031-05-01T12:00:00Z'));
  expect(at('2031-05-01T12:30:00Z')().mode).toEqual({ ...ASYNC, sendAt: new Date('2031-05-01T12:30:00Z') });
  expect(at('2031-06-01T12:30:00Z')).toThrow('X-Send-At is more than 30 days ahead');
});

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

const ASYNC = { kind: 'async', expiresInSeconds: null };

test.each([
  ['', { kind: 'sync' }],
  ['respond-async', ASYNC],
  ['Respond-Async', ASYNC],
  ['handling=lenient, respond-async; foo', ASYNC],
  ['wait=10', { kind: 'wait', waitSeconds: 10, expiresInSeconds: null }],
  ['wait = "10"', { kind: 'wait', waitSeconds: 10, expiresInSeconds: null }],
  ['respond-async, wait=5', { kind: 'wait', waitSeconds: 5, expiresInSeconds: null }],
  ['wait=5, wait=9', { kind: 'wait', waitSeconds: 5, expiresInSeconds: null }],
  ['wait=0', ASYNC],
  ['wait=-1', { kind: 'sync' }],
  ['wait=soon', { kind: 'sync' }],
  ['wait', { kind: 'sync' }],
  ['wait=1e3, respond-async', ASYNC],
  ['return=minimal', { kind: 'sync' }],
])('Prefer: %s', (prefer, mode) => {
  expect(options({ prefer }).mode).toEqual(mode);
});

test('X-Expires-In applies only to messages that may wait', () => {
  expect(options({ prefer: 'respond-async', 'x-expires-in': '60' }).mode).toEqual({
    ...ASYNC,
    expiresInSeconds: 60,
  });
  expect(options({ 'x-expires-in': '60' }).mode).toEqual({ kind: 'sync' });
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

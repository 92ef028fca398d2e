import { expect, test } from 'vitest';
import { hintOf } from './again-hint.ts';

test('sending a message again that has arrived sends it a second time, for certain', () => {
  for (const status of ['delivered', 'read'] as const)
    expect(hintOf({ status, keyId: 'key_1', sendAt: null })).toBe(
      'Creates a new message, without your Idempotency-Key. The recipient already has this message. Send again sends it a second time.',
    );
});

test('a program that retries a message that was not sent is mentioned', () => {
  expect(hintOf({ status: 'failed', keyId: 'key_1', sendAt: null })).toBe(
    'Creates a new message, without your Idempotency-Key. If your program retries too, the recipient may get both.',
  );
  expect(hintOf({ status: 'failed', keyId: null, sendAt: null })).toBe('Creates a new message.');
});

test('a scheduled message is sent now, and the hint says so', () => {
  expect(hintOf({ status: 'failed', keyId: null, sendAt: '2026-11-27T08:00:00Z' })).toBe(
    'Creates a new message. Sends now, not at the scheduled time.',
  );
});

import { expect, test } from 'vitest';
import { hintOf } from './send-again.tsx';

const ofProgram = { keyId: 'key_1', withIdempotencyKey: false, sendAt: null };
const ofPerson = { ...ofProgram, keyId: null };

test('sending a message again that has arrived definitely sends it a second time', () => {
  for (const status of ['delivered', 'read'] as const)
    expect(hintOf({ ...ofProgram, withIdempotencyKey: true, status })).toBe(
      'Creates a new message, without your Idempotency-Key. The recipient already has this message. Send again sends it a second time.',
    );
});

test('a program that retries a message that was not sent is mentioned', () => {
  expect(hintOf({ ...ofProgram, status: 'failed' })).toBe(
    'Creates a new message, without your Idempotency-Key. If your program retries too, the recipient may get both.',
  );
  expect(hintOf({ ...ofPerson, status: 'failed' })).toBe('Creates a new message.');
});

test('what a program does instead is mentioned only if it sends: the message has a key, and was not sent', () => {
  const repeat =
    'Do only one: press Send again, or repeat the request from your program with the same Idempotency-Key.';
  const withKey = { ...ofProgram, withIdempotencyKey: true };
  expect(hintOf({ ...withKey, status: 'failed' })).toBe(
    `Creates a new message, without your Idempotency-Key. ${repeat}`,
  );
  expect(hintOf({ ...withKey, status: 'unknown' })).not.toContain(repeat);
  expect(hintOf({ ...ofProgram, status: 'failed' })).not.toContain(repeat);
});

test('a scheduled message whose time has passed is sent now, and others can be scheduled again', () => {
  const scheduled = { ...ofPerson, status: 'failed', sendAt: '2026-11-27T08:00:00Z' } as const;
  expect(hintOf(scheduled, new Date('2026-11-27T08:01:00Z'))).toBe(
    'Creates a new message. Sends now, not at the scheduled time.',
  );
  expect(hintOf(scheduled, new Date('2026-11-27T07:59:00Z'))).toBe(
    'Creates a new message. It can be scheduled again, or sent now.',
  );
});

import { expect, test } from 'vitest';
import { messageName } from './state-words.ts';

test('a message that waits for a decision says so until it has left the queue', () => {
  expect(messageName({ status: 'queued' })).toBe('Queued');
  expect(messageName({ status: 'queued', setAside: true })).toBe('Needs decision');
  expect(messageName({ status: 'cancelled', setAside: true })).toBe('Cancelled');
});

test('a message that is scheduled for later says so until it is due', () => {
  const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();
  const [later, due] = [inMs(60_000), inMs(-1000)];
  expect(messageName({ status: 'queued', sendAt: later })).toBe('Scheduled');
  expect(messageName({ status: 'queued', sendAt: due })).toBe('Queued');
  expect(messageName({ status: 'queued', sendAt: null })).toBe('Queued');
  expect(messageName({ status: 'cancelled', sendAt: later })).toBe('Cancelled');
  expect(messageName({ status: 'queued', setAside: true, sendAt: later })).toBe('Needs decision');
});

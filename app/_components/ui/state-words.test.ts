import { expect, test } from 'vitest';
import { messageName } from './state-words.ts';

test('a message that waits for a decision says so until it has left the queue', () => {
  expect(messageName({ status: 'queued' })).toBe('Queued');
  expect(messageName({ status: 'queued', setAside: true })).toBe('Needs decision');
  expect(messageName({ status: 'cancelled', setAside: true })).toBe('Cancelled');
});

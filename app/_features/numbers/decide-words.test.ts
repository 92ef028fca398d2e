import { expect, test } from 'vitest';
import { decide } from './decide-words.ts';

test('the decision says how many messages are sent now and how many stay scheduled', () => {
  expect([decide.send(6, 0), decide.send(1, 0)]).toEqual(['Send all 6', 'Send it']);
  expect(decide.send(6, 1)).toBe('Send 5, keep 1 scheduled');
  expect([decide.send(2, 2), decide.send(1, 1)]).toEqual(['Keep 2 scheduled', 'Keep it scheduled']);
  expect(decide.sent(6, 0)).toBe('6 messages are being sent');
  expect(decide.sent(6, 1)).toBe('5 messages are being sent, 1 message stays scheduled');
  expect(decide.sent(2, 2)).toBe('2 messages stay scheduled');
});

test('the button that discards says how many messages', () => {
  expect([decide.discard(6), decide.discard(1)]).toEqual(['Discard all 6', 'Discard it']);
});

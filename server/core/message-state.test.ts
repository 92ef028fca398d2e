import { describe, expect, test } from 'vitest';
import {
  canBecome,
  isAccepted,
  isCertainlyNotSent,
  isSettled,
  MESSAGE_STATUSES,
  sourcesOf,
  statusOfAck,
  TRANSITIONS,
} from './message-state.ts';

test('no state returns to queued', () => {
  expect(sourcesOf('queued')).toEqual([]);
});

test('a message that the server accepted never returns to a lesser state', () => {
  expect(sourcesOf('failed')).toEqual(['queued', 'sending', 'unknown']);
  expect(sourcesOf('unknown')).toEqual(['sending']);
  expect(TRANSITIONS.read).toEqual([]);
  expect(TRANSITIONS.delivered).toEqual(['read']);
});

test('an unknown outcome can be resolved either way, and the message is never sent again', () => {
  expect(TRANSITIONS.unknown).toEqual(['sent', 'delivered', 'read', 'failed']);
});

test('a definite failure stays one', () => {
  const final = MESSAGE_STATUSES.filter(isCertainlyNotSent);
  expect(final).toEqual(['failed', 'expired', 'cancelled']);
  for (const status of final) expect(TRANSITIONS[status]).toEqual([]);
});

test('a status never follows itself', () => {
  for (const status of MESSAGE_STATUSES) expect(canBecome(status, status)).toBe(false);
});

test('only queued and sending are unfinished', () => {
  expect(MESSAGE_STATUSES.filter((status) => !isSettled(status))).toEqual(['queued', 'sending']);
  expect(MESSAGE_STATUSES.filter(isAccepted)).toEqual(['sent', 'delivered', 'read']);
});

describe('an acknowledgement', () => {
  test.each([
    [-1, 'failed'],
    [0, null],
    [1, 'sent'],
    [2, 'delivered'],
    [3, 'read'],
    [4, 'read'],
  ])('of %i means %s', (ack, status) => {
    expect(statusOfAck(ack)).toBe(status);
  });
});

import { describe, expect, test } from 'vitest';
import { retryAfterSeconds, type StoredNumberState, shownStatus } from './number-state.ts';

const connected: StoredNumberState = {
  status: 'CONNECTED',
  suspended: false,
  leaseSilentMs: 0,
  moveGraceMs: null,
};

describe('a number whose row says CONNECTED', () => {
  test('is connected while its lease was renewed in the last 12 s', () => {
    expect(shownStatus({ ...connected, leaseSilentMs: 11_999 })).toBe('CONNECTED');
    expect(shownStatus({ ...connected, leaseSilentMs: 12_000 })).toBe('RECONNECTING');
  });

  test('is not connected when nobody holds its lease', () => {
    expect(shownStatus({ ...connected, leaseSilentMs: null })).toBe('RECONNECTING');
  });

  test('stays connected only during a planned move', () => {
    expect(shownStatus({ ...connected, leaseSilentMs: null, moveGraceMs: 1 })).toBe('CONNECTED');
    expect(shownStatus({ ...connected, leaseSilentMs: null, moveGraceMs: 0 })).toBe('RECONNECTING');
  });

  test('is suspended when the administrator says so', () => {
    expect(shownStatus({ ...connected, suspended: true })).toBe('SUSPENDED');
  });
});

test('a state that only a person can change holds without a lease', () => {
  for (const status of ['UNLINKED', 'LINKING', 'LOGGED_OUT', 'CONFLICT', 'BLOCKED'] as const) {
    expect(shownStatus({ ...connected, status, leaseSilentMs: null })).toBe(status);
  }
});

test('only a state that ends automatically says when to repeat', () => {
  expect(retryAfterSeconds({ status: 'RECONNECTING' })).toBe(15);
  expect(retryAfterSeconds({ status: 'SYNCING' })).toBe(10);
  for (const status of ['LOGGED_OUT', 'CONNECTED', 'BLOCKED'] as const)
    expect(retryAfterSeconds({ status })).toBeNull();
});

test('a ban with a known end says to repeat after it, with time for the number to connect', () => {
  expect(retryAfterSeconds({ status: 'BLOCKED', blockedLeftMs: 60_500 })).toBe(76);
  expect(retryAfterSeconds({ status: 'BLOCKED', blockedLeftMs: -5000 })).toBe(15);
  expect(retryAfterSeconds({ status: 'LOGGED_OUT', blockedLeftMs: 60_000 })).toBeNull();
});

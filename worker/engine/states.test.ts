import { expect, test } from 'vitest';
import { endOf, waitsForPhone } from './states.ts';

test('a session continues in every state on the way to being connected', () => {
  for (const state of ['UNLAUNCHED', 'OPENING', 'PAIRING', 'CONNECTED', 'TIMEOUT']) {
    expect(endOf(state)).toBeNull();
  }
});

test('a state that only a person can fix differs from one that a new start fixes', () => {
  expect(endOf('LOGOUT')).toEqual({ state: 'logged_out', reason: null });
  expect(endOf('CONFLICT')).toEqual({ state: 'conflict' });
  for (const state of ['TOS_BLOCK', 'SMB_TOS_BLOCK', 'PROXYBLOCK']) {
    expect(endOf(state)).toMatchObject({
      state: 'blocked',
      cause: { code: expect.stringMatching(/_blocked$/) },
    });
  }
  for (const state of ['UNPAIRED', 'UNPAIRED_IDLE', 'DEPRECATED_VERSION', 'SOMETHING_NEW']) {
    expect(endOf(state)).toEqual({ state: 'gone', reason: 'ended by WhatsApp Web', detail: state });
  }
});

test('a page waits for a phone in the two unpaired states', () => {
  expect(['UNPAIRED', 'UNPAIRED_IDLE', 'PAIRING', 'CONNECTED'].filter(waitsForPhone)).toEqual([
    'UNPAIRED',
    'UNPAIRED_IDLE',
  ]);
});

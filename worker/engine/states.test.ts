import { expect, test } from 'vitest';
import { logoutCause } from '#server/core/logout-cause.ts';
import { endOf, waitsForPhone } from './states.ts';

test('a session continues in every state on the way to being connected', () => {
  for (const state of ['UNLAUNCHED', 'OPENING', 'PAIRING', 'CONNECTED', 'TIMEOUT']) {
    expect(endOf(state)).toBeNull();
  }
});

test('a state that only a person can fix differs from one that a new start fixes', () => {
  expect(endOf('LOGOUT')).toEqual({ state: 'logged_out', cause: logoutCause(null) });
  expect(endOf('CONFLICT')).toEqual({ state: 'conflict' });
  for (const state of ['TOS_BLOCK', 'SMB_TOS_BLOCK', 'PROXYBLOCK']) {
    expect(endOf(state)).toMatchObject({ state: 'blocked', reason: expect.stringContaining('WhatsApp') });
  }
  for (const state of ['UNPAIRED', 'UNPAIRED_IDLE', 'DEPRECATED_VERSION', 'SOMETHING_NEW']) {
    expect(endOf(state)).toEqual({ state: 'gone', reason: `WhatsApp Web: ${state}` });
  }
});

test('a page waits for a phone in the two unpaired states', () => {
  expect(['UNPAIRED', 'UNPAIRED_IDLE', 'PAIRING', 'CONNECTED'].filter(waitsForPhone)).toEqual([
    'UNPAIRED',
    'UNPAIRED_IDLE',
  ]);
});

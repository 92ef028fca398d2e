import { expect, test } from 'vitest';
import { waitsBecause } from './waits-because.ts';

const number = { status: 'CONNECTED', held: false, access: 'ok' } as const;
const waiting = { setAside: false, sendAt: null };

test('a message that waits for its turn has no other reason', () => {
  expect(waitsBecause(waiting, number)).toBeNull();
  expect(waitsBecause({ ...waiting, sendAt: '2026-01-01T09:00:00Z' }, number)).toBeNull();
});

test('a scheduled message needs nothing, and one of a number that sends nothing does not claim that', () => {
  const scheduled = { ...waiting, sendAt: new Date(Date.now() + 3_600_000).toISOString() };
  expect(waitsBecause(scheduled, number)).toBe('It is scheduled for later. Nothing to do.');
  for (const stopped of [
    { ...number, held: true },
    { ...number, status: 'LOGGED_OUT' as const },
  ])
    for (const message of [waiting, scheduled])
      expect(waitsBecause(message, stopped)).toBe(
        'Its number sends nothing now. Open the number to see why.',
      );
  expect(waitsBecause({ ...waiting, setAside: true }, number)).toBe(
    'It needs your decision. Open its number to send or discard it.',
  );
});

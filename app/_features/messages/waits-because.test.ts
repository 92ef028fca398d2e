import { expect, test } from 'vitest';
import { waitsBecause } from './waits-because.ts';

const pace = { sendIntervalSeconds: 8, protected: false };
const number = { status: 'CONNECTED', held: false, access: 'ok', ...pace } as const;
const waiting = { setAside: false, sendAt: null };

test('a message that waits for its turn says how often the number sends', () => {
  for (const sendAt of [null, '2026-01-01T09:00:00Z'])
    expect(waitsBecause({ ...waiting, sendAt }, number)).toBe(
      'It is waiting for its turn. The number sends one message every 8 s. Nothing to do.',
    );
  expect(waitsBecause(waiting, undefined)).toBeNull();
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

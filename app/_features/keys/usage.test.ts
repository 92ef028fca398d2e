import { expect, test } from 'vitest';
import { daysOf } from './usage.tsx';

const row = (day: string, keyId: string | null, numberId: string, sent: number) => ({
  ...{ day, keyId, numberId, sent, failed: 1, refused: 2 },
});
const ROWS = [
  row('2026-03-01', 'key_1', 'num_1', 5),
  row('2026-03-01', 'key_2', 'num_1', 7),
  row('2026-03-01', null, 'num_2', 11),
  row('2026-02-27', 'key_1', 'num_1', 13),
  row('2026-02-01', 'key_1', 'num_1', 17),
];
const NOW = new Date('2026-03-01T15:00:00Z');
const USAGE = { timeZone: 'Europe/Berlin', rows: ROWS };

test('the last 7 days are listed, newest first, with zeros where nothing happened', () => {
  expect(daysOf(USAGE, 'all', NOW).map(({ day, sent }) => [day, sent])).toEqual([
    ['2026-03-01', 23],
    ['2026-02-28', 0],
    ['2026-02-27', 13],
    ['2026-02-26', 0],
    ['2026-02-25', 0],
    ['2026-02-24', 0],
    ['2026-02-23', 0],
  ]);
});

test('a key and a number have their own sums', () => {
  expect(daysOf(USAGE, 'key key_1', NOW)[0]).toEqual({ day: '2026-03-01', sent: 5, failed: 1, refused: 2 });
  expect(daysOf(USAGE, 'number num_1', NOW)[0]).toMatchObject({ sent: 12, failed: 2, refused: 4 });
});

test('the last day is today in the account’s zone, wherever the viewer is', () => {
  const late = new Date('2026-03-01T23:30:00Z');
  expect(daysOf(USAGE, 'all', late)[0]?.day).toBe('2026-03-02');
  expect(daysOf({ ...USAGE, timeZone: 'America/New_York' }, 'all', late)[0]?.day).toBe('2026-03-01');
});

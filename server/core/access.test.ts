import { expect, test } from 'vitest';
import { addDays, dateIn, minutesAhead, planEndsSoon, planState, planWorks } from './access.ts';

const plan = { paidUntil: '2026-12-14', ended: false };

test('a plan includes its last paid day, and three days of grace follow', () => {
  expect(planState(plan, '2026-12-14', 3)).toBe('active');
  expect(planState(plan, '2026-12-15', 3)).toBe('grace');
  expect(planState(plan, '2026-12-17', 3)).toBe('grace');
  expect(planState(plan, '2026-12-18', 3)).toBe('expired');
});

test('a plan ends soon from seven days before its last paid day, until the days of grace', () => {
  const soon = (today: string) => planEndsSoon(planState(plan, today, 3), plan.paidUntil, today);
  expect(['2026-12-06', '2026-12-07', '2026-12-14', '2026-12-15'].map(soon)).toEqual([
    false,
    true,
    true,
    false,
  ]);
  expect(planEndsSoon('none', null, '2026-12-14')).toBe(false);
  expect(planEndsSoon('ended', plan.paidUntil, '2026-12-14')).toBe(false);
});

test('a plan ended by the administrator ends at once, without grace', () => {
  expect(planState({ ...plan, ended: true }, '2026-12-01', 3)).toBe('ended');
});

test('without a plan nothing works', () => {
  expect(planState(null, '2026-12-01', 3)).toBe('none');
  expect(['none', 'active', 'grace', 'expired', 'ended'].filter((s) => planWorks(s as 'none'))).toEqual([
    'active',
    'grace',
  ]);
});

test('the day is that of the installation’s time zone', () => {
  const now = new Date('2026-12-14T23:30:00Z');
  expect(dateIn('UTC', now)).toBe('2026-12-14');
  expect(dateIn('Europe/Berlin', now)).toBe('2026-12-15');
  expect(dateIn('America/New_York', now)).toBe('2026-12-14');
});

test('the day changes at midnight of the zone, whatever was computed just before', () => {
  for (const [at, date] of [
    ['2026-12-14T22:59:59.999Z', '2026-12-14'],
    ['2026-12-14T23:00:00.000Z', '2026-12-15'],
    ['2026-12-14T22:59:59.999Z', '2026-12-14'],
  ] as const)
    expect(dateIn('Europe/Berlin', new Date(at))).toBe(date);
  expect(dateIn('Pacific/Chatham', new Date('2026-12-14T10:14:59Z'))).toBe('2026-12-14');
  expect(dateIn('Pacific/Chatham', new Date('2026-12-14T10:15:00Z'))).toBe('2026-12-15');
});

test('adding days crosses the ends of months and years', () => {
  expect(addDays('2026-12-30', 3)).toBe('2027-01-02');
  expect(addDays('2028-02-28', 1)).toBe('2028-02-29');
});

test.each([
  ['UTC', '2026-01-01T00:00:00Z', 0],
  ['Europe/Berlin', '2026-01-01T00:00:00Z', 60],
  ['Europe/Berlin', '2026-07-01T00:00:00Z', 120],
  ['America/St_Johns', '2026-01-01T00:00:00Z', -210],
  ['Asia/Kathmandu', '2026-01-01T00:00:00Z', 345],
  ['Pacific/Kiritimati', '2026-01-01T00:00:00Z', 840],
])('the clocks of %s are ahead of UTC at %s by %i minutes', (zone, at, minutes) => {
  expect(minutesAhead(zone, new Date(at))).toBe(minutes);
});

import { expect, test } from 'vitest';
import { daysOf, parseDays, timesOf, writeDays } from './days.ts';
import { daysText } from './days-text.ts';
import { FILTER_NAMES, type Filters, filtersOf, inputOf } from './filters.ts';

const NOW = new Date(2026, 2, 1, 10, 30);
const ALL: Required<Filters> = {
  search: 'heron',
  status: 'failed',
  numberId: 'num_1',
  keyId: 'key_1',
  type: 'text',
  errorCode: 'not_connected',
  days: '2026-02-01..2026-02-03',
};

test('an address holds the filters and gives them back', () => {
  const params = new URLSearchParams(
    Object.entries(ALL).map(([name, value]) => [FILTER_NAMES[name as keyof Filters], value]),
  );
  expect(filtersOf(params, NOW)).toEqual(ALL);
});

test('what is not valid in an address is left out', () => {
  const params = new URLSearchParams({ status: 'gone', kind: 'fax', code: 'No code', days: 'soon', q: '' });
  expect(filtersOf(params, NOW)).toEqual({});
  for (const days of ['..', '2026-13-01..', '2026-02-01', '31..32'])
    expect(filtersOf(new URLSearchParams({ days }), NOW)).toEqual({});
});

test('days become the times between the midnights of the viewer', () => {
  const { days: _, ...others } = ALL;
  expect(inputOf(ALL, NOW)).toEqual({
    ...others,
    since: new Date(2026, 1, 1).toISOString(),
    until: new Date(2026, 1, 4).toISOString(),
  });
  expect(inputOf({ days: '2026-02-01..' }, NOW)).toEqual({ since: new Date(2026, 1, 1).toISOString() });
  expect(timesOf({ first: '', last: '2026-02-28' })).toEqual({ until: new Date(2026, 2, 1).toISOString() });
});

test('a preset moves with the calendar', () => {
  expect(daysOf('today', NOW)).toEqual({ first: '2026-03-01', last: '2026-03-01' });
  expect(daysOf('yesterday', NOW)).toEqual({ first: '2026-02-28', last: '2026-02-28' });
  expect(daysOf('7', NOW)).toEqual({ first: '2026-02-23', last: '2026-03-01' });
  expect(daysOf('30', NOW)).toEqual({ first: '2026-01-31', last: '2026-03-01' });
});

test('days have a text for people', () => {
  expect(daysText('7')).toBe('Last 7 days');
  expect(daysText('2026-02-03..2026-02-03')).toBe('3 February 2026');
  expect(daysText('2026-02-03..2026-02-04')).toBe('3 February 2026 – 4 February 2026');
  expect(daysText('2026-02-03..')).toBe('From 3 February 2026');
  expect(daysText('..2026-02-03')).toBe('Until 3 February 2026');
  expect(writeDays(parseDays('2026-02-03..') ?? { first: '', last: '' })).toBe('2026-02-03..');
  expect(writeDays({ first: '', last: '' })).toBeUndefined();
});

import { expect, test } from 'vitest';
import { addressOf, type Filters, filtersOf, inputOf } from './filters.ts';

const ID = '0f8fad5b-d9cb-469f-a165-70867728950e';
const ALL: Filters = {
  refused: true,
  httpStatus: '409',
  errorCode: 'not_connected',
  keyId: 'key_1',
  numberId: 'num_1',
  requestId: ID,
  recipient: '+49 176',
  period: 'hour',
};

test('an address holds the filters and gives them back', () => {
  expect(filtersOf(new URL(addressOf(ALL), 'http://x').searchParams)).toEqual(ALL);
  const range: Filters = {
    refused: false,
    period: 'range',
    from: '2026-03-01T10:30',
    to: '2026-03-02T00:00',
  };
  expect(filtersOf(new URL(addressOf(range), 'http://x').searchParams)).toEqual(range);
  const unsent: Filters = { refused: true, unsent: true, period: 'day' };
  expect(addressOf(unsent)).toBe('/requests?show=unsent&period=day');
  expect(filtersOf(new URL(addressOf(unsent), 'http://x').searchParams)).toEqual(unsent);
  expect(addressOf({ refused: false, period: 'week' })).toBe('/requests');
});

test('what is not valid in an address is left out', () => {
  const params = new URLSearchParams({ show: 'some', code: 'no_code', id: 'short', period: 'ever', key: '' });
  params.set('status', '600');
  params.set('recipient', '49a76');
  params.set('from', '2026-03-01T10:30');
  expect(filtersOf(params)).toEqual({ refused: false, period: 'week' });
  const range = new URLSearchParams({ period: 'range', from: 'today', to: '2026-13-01T00:00' });
  expect(filtersOf(range)).toEqual({ refused: false, period: 'range' });
});

test('a period becomes the time at which it begins', () => {
  const now = Date.parse('2026-03-01T10:30:45Z');
  expect(inputOf(ALL, now)).toEqual({
    ...{ refused: true, httpStatus: '409', errorCode: 'not_connected', keyId: 'key_1', numberId: 'num_1' },
    requestId: ID,
    recipient: '+49 176',
    since: '2026-03-01T09:30:45.000Z',
  });
  expect(inputOf({ refused: false, period: 'week' }, now)).toEqual({});
});

test('a range includes its last minute, and may be open at one end', () => {
  const range: Filters = {
    refused: false,
    period: 'range',
    from: '2026-03-01T10:30',
    to: '2026-03-01T10:30',
  };
  const since = new Date('2026-03-01T10:30').toISOString();
  expect(inputOf(range, 0)).toEqual({ since, until: new Date('2026-03-01T10:31').toISOString() });
  expect(inputOf({ refused: false, period: 'range', from: '2026-03-01T10:30' }, 0)).toEqual({ since });
  expect(inputOf({ refused: false, period: 'range' }, 0)).toEqual({});
});

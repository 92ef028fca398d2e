import { expect, test } from 'vitest';
import { addressOf, queryOf } from './views-panel.tsx';

test('an address holds the filters of a view and its name', () => {
  const address = addressOf('/messages', { name: 'Lost & found', query: 'status=failed&q=%2B49' });
  const { pathname, searchParams } = new URL(address, 'http://x');
  expect(pathname).toBe('/messages');
  expect(searchParams.get('view')).toBe('Lost & found');
  expect(queryOf(searchParams)).toBe('status=failed&q=%2B49');
});

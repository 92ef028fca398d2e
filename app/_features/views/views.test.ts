import { expect, test } from 'vitest';
import { addressOf, parseViews, queryOf, withView } from './views.ts';

test('what the browser remembers is read back, and what is damaged is left out', () => {
  const views = withView([], { name: 'Failures', query: 'status=failed' });
  expect(parseViews(JSON.stringify(views))).toEqual(views);
  for (const damaged of ['', '{', '3', '{"name":"x"}', '[1,null,{"name":"x"}]'])
    expect(parseViews(damaged)).toEqual([]);
});

test('a view replaces one of the same name, and views are in order', () => {
  const views = withView(
    [
      { name: 'b', query: 'x=1' },
      { name: 'c', query: '' },
    ],
    { name: 'b', query: 'x=2' },
  );
  expect(views).toEqual([
    { name: 'b', query: 'x=2' },
    { name: 'c', query: '' },
  ]);
  expect(withView(views, { name: 'A', query: '' })[0]?.name).toBe('A');
});

test('an address holds the filters of a view and its name', () => {
  const address = addressOf('/messages', { name: 'Lost & found', query: 'status=failed&q=%2B49' });
  const { pathname, searchParams } = new URL(address, 'http://x');
  expect(pathname).toBe('/messages');
  expect(searchParams.get('view')).toBe('Lost & found');
  expect(queryOf(searchParams)).toBe('status=failed&q=%2B49');
});

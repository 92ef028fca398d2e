import { globSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { jumpPlaces } from './jump-places.ts';

const PAGES = path.join(import.meta.dirname, '../../(dashboard)');

/** The addresses of all pages without an ID in their path. */
const routes = () =>
  globSync('**/page.tsx', { cwd: PAGES })
    .map((file) => path.dirname(file).split(path.sep))
    .filter((parts) => !parts.some((part) => part.startsWith('[')))
    .map((parts) => `/${parts.filter((part) => part !== '.' && !part.startsWith('(')).join('/')}`);

const found = (admin: boolean) =>
  jumpPlaces({ admin, sandbox: true, shown: { user: 'usr_1' } }).map(({ place }) => place.href);

test('the search finds every page of the dashboard, and the administration for administrators only', () => {
  expect(routes()).toContain('/admin/settings');
  expect(routes().filter((route) => !found(true).includes(route))).toEqual([]);
  expect(found(false).filter((href) => href.includes('admin'))).toEqual([]);
});

test('a download names the user whom the page shows', () => {
  const downloads = found(true).filter((href) => href.startsWith('/api/'));
  expect(downloads).toEqual(['/api/admin/payments?user=usr_1']);
});

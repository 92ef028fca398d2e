import { globSync } from 'node:fs';
import path from 'node:path';

const APP = path.join(import.meta.dirname, '../app');

/** A page of the app folder. */
export interface Place {
  /** Its address with placeholders: `/numbers/[numberId]`. */
  route: string;
  /** Who may see it. */
  group: 'auth' | 'dashboard' | 'admin' | 'public';
  /** Its address; throws without an id for every parameter. */
  path(ids: Record<string, string>): string;
}

/** Every page, read from the app folder, so that every test covers a new page at once. */
export function allPlaces(): Place[] {
  return (
    globSync('**/page.tsx', { cwd: APP })
      .map((file) => path.dirname(file).split(path.sep))
      // A folder with a leading underscore is not part of an address.
      .filter((parts) => !parts.some((part) => part.startsWith('_')))
      .map((parts) => {
        const route = `/${parts.filter((part) => part !== '.' && !part.startsWith('(')).join('/')}`;
        return { route, group: groupOf(parts), path: (ids: Record<string, string>) => fill(route, ids) };
      })
      .toSorted((a, b) => a.route.localeCompare(b.route))
  );
}

function groupOf(parts: string[]): Place['group'] {
  if (parts.includes('(admin)')) return 'admin';
  if (parts.includes('(dashboard)')) return 'dashboard';
  return parts.includes('(auth)') ? 'auth' : 'public';
}

function fill(route: string, ids: Record<string, string>): string {
  return route.replaceAll(/\[(\w+)\]/g, (_, name: string) => {
    const id = ids[name];
    if (id === undefined) throw new Error(`the walk has no ${name} for ${route}: give it one`);
    return id;
  });
}

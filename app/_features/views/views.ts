import type { SavedView } from '#server/core/saved-views.ts';
import { VIEW } from './view-param.ts';

/** The filters of an address, without the name of a view. */
export function queryOf(params: URLSearchParams): string {
  const query = new URLSearchParams(params);
  query.delete(VIEW);
  return query.toString();
}

/** The address of a list with a view's filters and its name. */
export function addressOf(path: string, { name, query }: SavedView): string {
  const params = new URLSearchParams(query);
  params.set(VIEW, name);
  return `${path}?${params}`;
}

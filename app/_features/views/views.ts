import { VIEW } from './view-param.ts';

/** Filters of a list under a name of the person's own. */
export interface View {
  name: string;
  /** As in the address, without the question mark. */
  query: string;
}

export const VIEWS_MAX = 20;
export const VIEW_NAME_MAX = 40;

/** The stored views of a list; none if the text cannot be read. */
export function parseViews(text: string): View[] {
  try {
    const views: unknown = JSON.parse(text || '[]');
    return Array.isArray(views) ? views.filter(isView) : [];
  } catch {
    return [];
  }
}

const isView = (one: unknown): one is View =>
  typeof one === 'object' &&
  one !== null &&
  'name' in one &&
  'query' in one &&
  typeof one.name === 'string' &&
  typeof one.query === 'string';

/** With one more view, by name; one of the same name is replaced. */
export const withView = (views: readonly View[], view: View): View[] =>
  [...views.filter(({ name }) => name !== view.name), view].toSorted((one, other) =>
    one.name.localeCompare(other.name, 'en'),
  );

/** The filters of an address, without the name of a view. */
export function queryOf(params: URLSearchParams): string {
  const query = new URLSearchParams(params);
  query.delete(VIEW);
  return query.toString();
}

/** The address of a list with a view's filters and its name. */
export function addressOf(path: string, { name, query }: View): string {
  const params = new URLSearchParams(query);
  params.set(VIEW, name);
  return `${path}?${params}`;
}

/** The header in which the proxy hands on which path was asked for: layouts do not know it. */
export const ASKED_FOR = 'x-asked-for';

/** Where somebody signs in who is on the way to `path`. */
export function signInFor(path: string | null): string {
  return path === null ? '/sign-in' : `/sign-in?next=${encodeURIComponent(path)}`;
}

/** Path and query as a person sees them, without what the pages' framework adds. */
export function pathAsked({ pathname, search }: { pathname: string; search: string }): string {
  const query = new URLSearchParams(search);
  query.delete('_rsc');
  return query.size > 0 ? `${pathname}?${query}` : pathname;
}

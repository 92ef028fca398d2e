/** The header in which the proxy passes the requested path, which layouts do not know. */
export const ASKED_FOR = 'x-asked-for';

/** The sign-in page, which then continues to `path`. */
export function signInFor(path: string | null): string {
  return path === null ? '/sign-in' : `/sign-in?next=${encodeURIComponent(path)}`;
}

/** Path and query as a person sees them, without the framework's additions. */
export function pathAsked({ pathname, search }: { pathname: string; search: string }): string {
  const query = new URLSearchParams(search);
  query.delete('_rsc');
  return query.size > 0 ? `${pathname}?${query}` : pathname;
}

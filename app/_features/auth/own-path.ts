/** Any origin works as a base: only the path of the result is used. */
const ORIGIN = 'http://own.invalid';

/** The given path if it is on this site, as a browser reads it; anything else becomes the start page. */
export function ownPath(next: string | null | undefined): string {
  const path = pathOf(next ?? '/');
  // After normalization a path can name a host: `/.//host` becomes `//host`.
  return path !== null && pathOf(path) === path ? path : '/';
}

function pathOf(text: string): string | null {
  const url = URL.parse(text, ORIGIN);
  return url?.origin === ORIGIN ? `${url.pathname}${url.search}${url.hash}` : null;
}

/** Any origin will do to read a path by: of what is read, the path alone is used. */
const ORIGIN = 'http://own.invalid';

/** A path of ours that somebody was on the way to, as a browser reads it; anything else leads to the start page. */
export function ownPath(next: string | null | undefined): string {
  const path = pathOf(next ?? '/');
  // What is a path may, once it was tidied up, name a host: `/.//host` becomes `//host`.
  return path !== null && pathOf(path) === path ? path : '/';
}

function pathOf(text: string): string | null {
  const url = URL.parse(text, ORIGIN);
  return url?.origin === ORIGIN ? `${url.pathname}${url.search}${url.hash}` : null;
}

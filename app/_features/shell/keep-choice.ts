import { cookieName } from '#server/auth/cookie-name.ts';

const YEAR_SECONDS = 31_536_000;

/** Keeps the choice for a year in a cookie, so that the server has it for the first paint. */
export function keepChoice(of: 'theme' | 'account', value: string): void {
  const https = window.location.protocol === 'https:';
  const attributes = `path=/; max-age=${YEAR_SECONDS}; samesite=lax${https ? '; secure' : ''}`;
  // biome-ignore lint/suspicious/noDocumentCookie: the cookie store is not in every browser yet
  document.cookie = `${cookieName(of, { https })}=${value}; ${attributes}`;
}

/** Our cookies. Scripts may write theme and account, which grant nothing. */
export type CookieUse = 'session' | 'csrf' | 'callback' | 'device' | 'theme' | 'account';

/** The name of a cookie. Over HTTPS the browser itself restricts each cookie to this host and to HTTPS. */
export function cookieName(use: CookieUse, over: { https: boolean }): string {
  return over.https ? `__Host-wirebird.${use}` : `wirebird.${use}`;
}

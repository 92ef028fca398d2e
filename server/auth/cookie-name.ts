/** What a browser keeps for us. Theme and account are choices that scripts may write, and open nothing. */
export type CookieUse = 'session' | 'csrf' | 'callback' | 'device' | 'theme' | 'account';

/** The name of a cookie. Over HTTPS the browser itself keeps each to this host alone, and sends it over HTTPS alone. */
export function cookieName(use: CookieUse, over: { https: boolean }): string {
  return over.https ? `__Host-wirebird.${use}` : `wirebird.${use}`;
}

const BASE = '/v1';

/** A path without an endpoint, for requests that only resemble ours. */
const NOWHERE = '/-';

/**
 * The path below `/v1` of a request target, without trailing slashes (`''` for `/v1` itself); null if it is not
 * the API's. Other spellings of `/v1` (`//v1/status`, `/%76%31`, `/x/../v1`) name no endpoint, but are answered in
 * the envelope.
 */
export function restPathOf(target: string): string | null {
  const path = pathOf(target);
  if (path === BASE || path.startsWith(`${BASE}/`)) return path.slice(BASE.length).replace(/\/+$/, '');
  return /^\/v1(\/|$)/i.test(plainest(path)) ? NOWHERE : null;
}

/** The target's path as written: no query, no fragment, no origin (proxies send the absolute form). */
function pathOf(target: string): string {
  const end = target.search(/[?#]/);
  const whole = end === -1 ? target : target.slice(0, end);
  return whole.startsWith('/') ? whole : whole.replace(/^[a-z][a-z\d+.-]*:\/\/[^/]*/i, '') || '/';
}

/** A path as the most lenient parser would read it. */
function plainest(path: string): string {
  const decoded = path.replace(/%([\da-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  const single = `/${decoded}`.replace(/[\\/]+/g, '/');
  return URL.parse(single, 'http://rest')?.pathname ?? single;
}

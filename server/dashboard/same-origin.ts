/**
 * Whether a change comes from one of our pages. Browsers name the origin in `Sec-Fetch-Site`, older ones only in
 * `Origin`. A request with neither does not come from a browser, so no other site can have made it send a cookie.
 */
export function isSameOrigin(headers: Headers, publicUrl: string): boolean {
  const site = headers.get('sec-fetch-site');
  if (site !== null && site !== 'same-origin') return false;
  const origin = headers.get('origin');
  if (origin === null) return true;
  const own = new URL(publicUrl);
  if (origin === own.origin) return true;
  // Another name of this host, such as 127.0.0.1, is accepted, but not plain HTTP if the public URL is HTTPS.
  const asPublic = site === 'same-origin' || origin.startsWith(own.protocol);
  return asPublic && hostOf(origin) === headers.get('host');
}

function hostOf(origin: string): string | null {
  try {
    return new URL(origin).host;
  } catch {
    return null;
  }
}

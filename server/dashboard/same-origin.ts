/**
 * Whether a request that changes something comes from a page of ours. Browsers say where a request was made
 * in `Sec-Fetch-Site`, older ones in `Origin` alone; a request that says neither is no browser's and carries
 * no cookie that a stranger could make it send.
 */
export function isSameOrigin(headers: Headers, publicUrl: string): boolean {
  const site = headers.get('sec-fetch-site');
  if (site !== null && site !== 'same-origin') return false;
  const origin = headers.get('origin');
  if (origin === null) return true;
  const own = new URL(publicUrl);
  if (origin === own.origin) return true;
  // Another name of this host, such as 127.0.0.1; plain HTTP under the name of HTTPS is somebody else's page.
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

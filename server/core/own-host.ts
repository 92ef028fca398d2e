/** The settings that say under which names the product is served. */
interface OwnNames {
  publicUrl: string;
  host: string;
  allowedHosts: readonly string[];
}

/**
 * Whether pages are served under this `Host`: that of PUBLIC_URL, HOST, a loopback name, or one of ALLOWED_HOSTS.
 * Any other may be a stranger's name that resolves to this machine.
 */
export function isOwnHost(host: string | undefined, own: OwnNames): boolean {
  const name = nameIn(host);
  if (name === null) return false;
  if (isLoopbackName(name)) return true;
  return [
    own.publicUrl,
    `http://${bracketed(own.host)}`,
    ...own.allowedHosts.map((allowed) => `http://${allowed}`),
  ].some((address) => URL.parse(address)?.hostname === name);
}

export function isLoopbackName(name: string): boolean {
  return name === 'localhost' || name === '[::1]' || name === '::1' || /^127(\.\d+){3}$/.test(name);
}

/** The name in a `Host` header as URLs write it, without the port. */
function nameIn(host: string | undefined): string | null {
  if (!host || !/^([\w.-]+|\[[0-9a-f:.]+\])(:\d{1,5})?$/i.test(host)) return null;
  return URL.parse(`http://${host}`)?.hostname ?? null;
}

function bracketed(address: string): string {
  return address.includes(':') && !address.startsWith('[') ? `[${address}]` : address;
}

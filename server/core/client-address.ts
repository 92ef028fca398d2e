import ipaddr from 'ipaddr.js';

/**
 * An address as it is stored and shown: without port, brackets or zone, and an IPv4 address inside an IPv6 one as
 * IPv4. Null if it is not an address.
 */
export function plainAddress(text: string | null | undefined): string | null {
  return parseAddress(text)?.toString() ?? null;
}

/** The name under which limits count an address. For IPv6 its /64, which is what one subscriber gets. */
export function addressBlock(text: string | null | undefined): string {
  return blockOf(text, 64);
}

/** The same with the /48 for IPv6: one site or subscriber may have all of its 65,536 blocks. */
export function addressSite(text: string | null | undefined): string {
  return blockOf(text, 48);
}

function blockOf(text: string | null | undefined, bits: number): string {
  const address = parseAddress(text);
  if (!address) return 'unknown';
  if (address.kind() === 'ipv4') return address.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/${bits}`).toString()}/${bits}`;
}

export function parseAddress(text: string | null | undefined): ipaddr.IPv4 | ipaddr.IPv6 | null {
  const bare = text
    ?.trim()
    .replace(/^\[(.*)\](:\d+)?$/, '$1')
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
    .replace(/%.*$/, '');
  const valid = bare && (ipaddr.IPv4.isValidFourPartDecimal(bare) || ipaddr.IPv6.isValid(bare));
  return valid ? ipaddr.process(bare) : null;
}

import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';

/**
 * An IPv4 address that ipaddr.js takes for a public one, although it is Azure's internal metadata, DNS and health service.
 */
const LOCAL_SERVICES = [ipaddr.IPv4.parseCIDR('168.63.129.16/32')];

/**
 * All of IPv6 that is handed out for use between networks. What lies outside it is loopback, private,
 * multicast, or wraps an IPv4 address (`::/96`, `::ffff:0:0/96`, `64:ff9b::/96`), however it is spelled.
 */
const IPV6_GLOBAL = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether an IP address belongs to the public internet, judged by the address alone. Everything else is
 * false: private, loopback, link-local, shared (100.64/10), documentation, benchmark, multicast, reserved,
 * every IPv6 form that carries an IPv4 address inside (mapped, compatible, 6to4, Teredo, NAT64, ISATAP),
 * addresses with a zone, and text that is no address.
 */
export function isPublicAddress(text: string): boolean {
  if (isIP(text) === 0 || text.includes('%')) return false;
  const address = ipaddr.parse(text);
  // ipaddr.js calls "unicast" what none of its special ranges claims; 6to4, Teredo and 192.88.99/24 are
  // among those ranges.
  if (address.range() !== 'unicast') return false;
  if (address instanceof ipaddr.IPv4) return !LOCAL_SERVICES.some((range) => address.match(range));
  return address.match(IPV6_GLOBAL) && !isIsatap(address);
}

/** ISATAP: a tunnel to the IPv4 address in the last 32 bits, marked by 5efe before it. */
function isIsatap(address: ipaddr.IPv6): boolean {
  return (address.parts[4] === 0 || address.parts[4] === 0x200) && address.parts[5] === 0x5efe;
}

/** The canonical form of an address, for comparison. Undefined if it is not an address. */
export function canonicalAddress(text: string | undefined): string | undefined {
  if (text === undefined || isIP(text) === 0) return undefined;
  return ipaddr.parse(text).toNormalizedString();
}

/** The canonical addresses of this machine's interfaces, read again because they change while it runs. */
export function ownAddresses(): ReadonlySet<string> {
  const addresses = Object.values(networkInterfaces()).flatMap((entries) => entries ?? []);
  return new Set(addresses.flatMap((entry) => canonicalAddress(entry.address) ?? []));
}

import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';

/**
 * An IPv4 address that ipaddr.js takes for a public one, although it is Azure's internal metadata, DNS and health
 * service.
 */
const LOCAL_SERVICES = [ipaddr.IPv4.parseCIDR('168.63.129.16/32')];

/**
 * All IPv6 addresses that are allocated for use between networks. Addresses outside this range are loopback,
 * private or multicast, or wrap an IPv4 address (`::/96`, `::ffff:0:0/96`, `64:ff9b::/96`), in any spelling.
 */
const IPV6_GLOBAL = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether an IP address is public, judged by the address alone. False for private, loopback, link-local, shared
 * (100.64/10), documentation, benchmark, multicast and reserved ones, those with a zone, IPv6 forms of an IPv4
 * address (mapped, compatible, 6to4, Teredo, NAT64, ISATAP), and other text.
 */
export function isPublicAddress(text: string): boolean {
  if (isIP(text) === 0 || text.includes('%')) return false;
  const address = ipaddr.parse(text);
  // ipaddr.js calls an address "unicast" if it is in none of its special ranges, which include 6to4, Teredo and
  // 192.88.99/24.
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

/** The canonical addresses of this machine's interfaces, read on each call because they can change. */
export function ownAddresses(): ReadonlySet<string> {
  const addresses = Object.values(networkInterfaces()).flatMap((entries) => entries ?? []);
  return new Set(addresses.flatMap((entry) => canonicalAddress(entry.address) ?? []));
}

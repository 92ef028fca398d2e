import { isIP } from 'node:net';
import { AppError } from '#server/core/errors.ts';
import { mediaUrlPort, parseMediaUrl } from '#server/core/media-url.ts';
import { isPublicAddress } from './address.ts';
import { forbidden } from './media-errors.ts';

/** What the operator allows besides the public internet, and the allowed ports. */
export interface MediaUrlRules {
  /** `host:port` entries (`[::1]:9000` for IPv6) whose address class and port are not checked. */
  allowHosts: readonly string[];
  /** Ports of all other hosts. */
  ports: readonly number[];
}

/**
 * Checks a media URL without network access, against SSRF: form, port, and a literal address. Request validation and
 * the fetcher call it. The machine's own public addresses are refused only on connecting, because a refusal here would
 * reveal them. Throws `invalid_parameters` for form and port, `media_unusable` for the address.
 */
export function checkMediaUrl(text: string, rules: MediaUrlRules): URL {
  const url = parseMediaUrl(text);
  vetUrl(url, rules);
  return url;
}

/** {@link checkMediaUrl} for a parsed URL. */
export function vetUrl(url: URL, rules: MediaUrlRules): void {
  if (isAllowedHost(url, rules.allowHosts)) return;
  const port = mediaUrlPort(url);
  if (!rules.ports.includes(port)) {
    const permitted = new Intl.ListFormat('en', { type: 'disjunction' }).format(rules.ports.map(String));
    throw new AppError('invalid_parameters', `url uses port ${port}. Use one of these ports: ${permitted}.`);
  }
  const host = bareHostname(url);
  if (isIP(host) !== 0 && !isPublicAddress(host)) throw forbidden(new Error(`${host} is not public`));
  // RFC 6761: these names always mean this machine.
  if (/(^|\.)localhost\.?$/.test(host)) throw forbidden(new Error(`${host} is this machine`));
}

/** Whether `url` names exactly one of the operator's `host:port` entries. */
export function isAllowedHost(url: URL, allowHosts: readonly string[]): boolean {
  const port = mediaUrlPort(url);
  return allowHosts.some((entry) => {
    const colon = entry.lastIndexOf(':');
    // Parses the entry like the URL, so that different spellings, cases and IDN forms match.
    const hostname = URL.parse(`http://${entry.slice(0, colon)}/`)?.hostname;
    return hostname === url.hostname && Number(entry.slice(colon + 1)) === port;
  });
}

/** The host as sockets and certificates write it: an IPv6 address without brackets. */
export function bareHostname(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1');
}

import ipaddr from 'ipaddr.js';
import { AppError } from '#server/core/errors.ts';
import { headerOf, type RestRequest } from './request.ts';

const PLAIN_HTTP =
  'This API is served over HTTPS only, so the key was not read. Repeat the request at the https:// address; a key that was sent over plain HTTP should be revoked.';

/**
 * Throws `invalid_parameters` for a request that came over plain HTTP from outside this machine. TLS is the
 * proxy's work: one that is trusted says by `X-Forwarded-Proto` what it spoke. It is never redirected, since
 * a redirect would make the client send its key once more.
 */
export function refusePlainHttp(request: RestRequest, trustProxy: boolean): void {
  if (request.encrypted) return;
  if (trustProxy) {
    const said = lastOf(headerOf(request, 'x-forwarded-proto'));
    if (said?.toLowerCase() === 'https') return;
    // Without any word from a proxy it is a call from this machine itself, such as a health check.
    const proxied = said !== undefined || headerOf(request, 'x-forwarded-for') !== undefined;
    if (proxied) throw new AppError('invalid_parameters', PLAIN_HTTP);
  }
  if (!isLoopback(request.peerAddress)) throw new AppError('invalid_parameters', PLAIN_HTTP);
}

/**
 * The address that a request is counted under. Behind a trusted proxy it is the last hop of
 * `X-Forwarded-For`, the only one that the proxy wrote itself; all others are the caller's claim. An IPv6
 * caller is its /64, which is what one subscriber gets.
 */
export function callerAddress(
  request: Pick<RestRequest, 'headers' | 'peerAddress'>,
  trustProxy: boolean,
): string {
  const hop = trustProxy ? lastOf(headerOf(request, 'x-forwarded-for')) : undefined;
  const address = parsed(hop) ?? parsed(request.peerAddress);
  if (!address) return 'unknown';
  if (address.kind() === 'ipv4') return address.toString();
  const network = ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/64`);
  return `${network.toString()}/64`;
}

function lastOf(list: string | undefined): string | undefined {
  return list?.split(',').at(-1)?.trim() || undefined;
}

/** Some proxies add the port. */
function parsed(text: string | null | undefined): ipaddr.IPv4 | ipaddr.IPv6 | null {
  const bare = text?.replace(/^\[(.*)\](:\d+)?$/, '$1').replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1');
  return bare && ipaddr.isValid(bare) ? ipaddr.process(bare) : null;
}

function isLoopback(address: string | null): boolean {
  return parsed(address)?.range() === 'loopback';
}

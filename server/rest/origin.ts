import { addressBlock, addressSite, parseAddress } from '#server/core/client-address.ts';
import { AppError } from '#server/core/errors.ts';
import { headerOf, type RestRequest } from './request.ts';

type Peer = Pick<RestRequest, 'headers' | 'peerAddress'>;

const PLAIN_HTTP =
  'This API is served over HTTPS only, so the key was not read. Retry the request at the https:// address. Revoke any key that was sent over plain HTTP.';

/**
 * Throws `invalid_parameters` for a request over plain HTTP from outside this machine. TLS ends at the proxy,
 * which reports it by `X-Forwarded-Proto`. There is no redirect, because the client would send its key again.
 */
export function refusePlainHttp(request: RestRequest, trustProxy: boolean): void {
  if (request.encrypted) return;
  if (trustProxy) {
    const said = lastOf(headerOf(request, 'x-forwarded-proto'));
    if (said?.toLowerCase() === 'https') return;
    // Without a proxy's header it is a call from this machine, such as a health check.
    const proxied = said !== undefined || headerOf(request, 'x-forwarded-for') !== undefined;
    if (proxied) throw new AppError('invalid_parameters', PLAIN_HTTP);
  }
  if (!isLoopback(request.peerAddress)) throw new AppError('invalid_parameters', PLAIN_HTTP);
}

/**
 * The address that a request is counted under. Behind a trusted proxy it is the last hop of `X-Forwarded-For`,
 * which the proxy wrote; the caller can invent the others.
 */
export function callerAddress(request: Peer, trustProxy: boolean): string {
  return addressBlock(lastHop(request, trustProxy));
}

/** The same for strangers at the pages, whose blocks of one site count together. */
export function callerSite(request: Peer, trustProxy: boolean): string {
  return addressSite(lastHop(request, trustProxy));
}

function lastHop(request: Peer, trustProxy: boolean): string | null {
  const hop = trustProxy ? lastOf(headerOf(request, 'x-forwarded-for')) : undefined;
  return hop !== undefined && parseAddress(hop) ? hop : request.peerAddress;
}

function lastOf(list: string | undefined): string | undefined {
  return list?.split(',').at(-1)?.trim() || undefined;
}

function isLoopback(address: string | null): boolean {
  return parseAddress(address)?.range() === 'loopback';
}

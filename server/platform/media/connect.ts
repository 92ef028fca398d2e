import { isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { mediaUrlPort } from '#server/core/media-url.ts';
import { canonicalAddress, isPublicAddress } from './address.ts';
import { unreachable } from './media-errors.ts';
import { type Network, untilAborted } from './network.ts';
import { bareHostname, isAllowedHost, type MediaUrlRules, vetUrl } from './vet-url.ts';

/** A name can have many addresses. Trying all of them would let a stranger use this service to probe them. */
const ADDRESSES_TRIED_MAX = 4;

/**
 * Opens the connection for `url`: resolves its name once, requires every address to be permitted, connects to one of
 * them and checks the peer's address. With https, the certificate must be valid for the name. Throws
 * `media_unavailable` if the file is unreachable and `media_unusable` for a forbidden literal address, with the same
 * sentence; `invalid_parameters` for a port that is not permitted; the signal's reason when it aborts.
 *
 * @param attemptMs The time for one address while there is another one to try.
 */
export async function connectVetted(
  url: URL,
  options: MediaUrlRules & { network: Network; signal: AbortSignal; attemptMs: number },
): Promise<Socket> {
  vetUrl(url, options);
  try {
    const addresses = await vettedAddresses(url, options);
    const socket = await dialFirst(addresses, mediaUrlPort(url), options);
    return url.protocol === 'https:' ? await secure(socket, bareHostname(url), options.signal) : socket;
  } catch (error) {
    options.signal.throwIfAborted();
    throw unreachable(error);
  }
}

async function vettedAddresses(
  url: URL,
  { network, signal, allowHosts }: MediaUrlRules & { network: Network; signal: AbortSignal },
): Promise<string[]> {
  const hostname = bareHostname(url);
  const trusted = isAllowedHost(url, allowHosts);
  const addresses = isIP(hostname) ? [hostname] : await network.resolve(hostname, { trusted, signal });
  if (addresses.length === 0) throw new Error(`${hostname} has no address`);
  if (!trusted) {
    const own = network.ownAddresses();
    // One forbidden address refuses the name: an attacker would add a public one to pass the check.
    for (const address of addresses) {
      if (!isPublicAddress(address)) throw new Error(`${hostname} is at ${address}, which is not public`);
      if (own.has(canonicalAddress(address) ?? '')) throw new Error(`${hostname} is this machine`);
    }
  }
  return addresses;
}

async function dialFirst(
  addresses: readonly string[],
  port: number,
  { network, signal, attemptMs }: { network: Network; signal: AbortSignal; attemptMs: number },
): Promise<Socket> {
  const candidates = addresses.slice(0, ADDRESSES_TRIED_MAX);
  let failure: unknown;
  for (const [index, address] of candidates.entries()) {
    const last = index === candidates.length - 1;
    const attempt = last ? signal : AbortSignal.any([signal, AbortSignal.timeout(attemptMs)]);
    try {
      const { socket, remoteAddress } = await network.dial(address, port, attempt);
      if (canonicalAddress(remoteAddress) === canonicalAddress(address)) return socket;
      socket.destroy();
      throw new Error(`connected to ${remoteAddress} instead of ${address}`);
    } catch (error) {
      signal.throwIfAborted();
      failure = error;
    }
  }
  throw failure;
}

/** TLS over the socket. Always verifies the certificate, even if `NODE_TLS_REJECT_UNAUTHORIZED` is 0. */
function secure(socket: Socket, hostname: string, signal: AbortSignal): Promise<Socket> {
  // Certificates and SNI write a fully qualified name without its final dot.
  const name = hostname.replace(/\.$/, '');
  return untilAborted<Socket>(signal, (resolve, reject) => {
    const secured = connectTls({
      socket,
      host: name,
      ...(isIP(name) === 0 ? { servername: name } : {}),
      ALPNProtocols: ['http/1.1'],
      rejectUnauthorized: true,
    });
    secured.on('error', (error) => {
      socket.destroy();
      reject(error);
    });
    secured.once('secureConnect', () => resolve(secured));
    secured.once('close', () => reject(new Error('closed during the TLS handshake')));
    return () => {
      secured.destroy();
      socket.destroy();
    };
  });
}

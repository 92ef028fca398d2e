import { lookup } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { connect, type Socket } from 'node:net';
import { ownAddresses } from './address.ts';

/** A TCP connection and the address at its other end, as the operating system reports it. */
export interface Connection {
  socket: Socket;
  remoteAddress: string | undefined;
}

/**
 * All that the fetcher asks of the machine. The checks that permit a connection are outside of it, so tests can
 * supply public addresses without weakening a check.
 */
export interface Network {
  /** All addresses of a name, IPv4 first. Rejects or resolves to `[]` if there are none. */
  resolve(hostname: string, options: { trusted: boolean; signal: AbortSignal }): Promise<string[]>;
  /** Connects to an IP address, never a name. Rejects with the signal's reason when it aborts. */
  dial(address: string, port: number, signal: AbortSignal): Promise<Connection>;
  ownAddresses(): ReadonlySet<string>;
}

/**
 * Looks up strangers' names in DNS directly: the system's lookup also reads the hosts file and search domains, and
 * occupies one of the process's four blocking threads while a server is slow. Names that the operator allowed
 * (`trusted`) use the system's lookup, because they may be in the hosts file.
 */
export function createNetwork(options: { dnsServers?: readonly string[] } = {}): Network {
  return {
    resolve: (hostname, { trusted, signal }) =>
      trusted ? lookupOnSystem(hostname, signal) : askDns(hostname, signal, options.dnsServers),
    dial,
    ownAddresses,
  };
}

async function askDns(hostname: string, signal: AbortSignal, servers?: readonly string[]): Promise<string[]> {
  signal.throwIfAborted();
  const resolver = new Resolver({ timeout: 2500, tries: 2 });
  if (servers) resolver.setServers(servers);
  const cancel = () => resolver.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    signal.throwIfAborted();
    // A failure for one address family must not hide the other's addresses.
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (addresses.length === 0) throw answers.find((answer) => answer.status === 'rejected')?.reason;
    return addresses;
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

function lookupOnSystem(hostname: string, signal: AbortSignal): Promise<string[]> {
  return untilAborted(signal, (resolve, reject) => {
    lookup(hostname, { all: true, order: 'ipv4first' }, (error, addresses) => {
      if (error) reject(error);
      else resolve(addresses.map(({ address }) => address));
    });
    return () => {};
  });
}

function dial(address: string, port: number, signal: AbortSignal): Promise<Connection> {
  return untilAborted(signal, (resolve, reject) => {
    const socket = connect({ host: address, port, noDelay: true });
    // This listener stays: an error between two owners of the socket would end the process.
    socket.on('error', reject);
    socket.once('connect', () => resolve({ socket, remoteAddress: socket.remoteAddress }));
    return () => socket.destroy();
  });
}

/** A promise that rejects with the signal's reason on abort, after undoing what `begin` started. */
export function untilAborted<T>(
  signal: AbortSignal,
  begin: (resolve: (value: T) => void, reject: (error: unknown) => void) => () => void,
): Promise<T> {
  if (signal.aborted) return Promise.reject(signal.reason);
  return new Promise<T>((resolve, reject) => {
    let undo = () => {};
    const abort = () => {
      undo();
      reject(signal.reason);
    };
    const done = () => signal.removeEventListener('abort', abort);
    signal.addEventListener('abort', abort, { once: true });
    undo = begin(
      (value) => {
        done();
        resolve(value);
      },
      (error) => {
        done();
        reject(error);
      },
    );
  });
}

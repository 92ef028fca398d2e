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
 * The three things that the fetcher asks of the machine. Everything that decides whether a connection may
 * be made stands above this line, so tests can lend it public addresses without weakening a check.
 */
export interface Network {
  /** All addresses of a name, IPv4 first. Rejects or answers `[]` when there are none. */
  resolve(hostname: string, options: { trusted: boolean; signal: AbortSignal }): Promise<string[]>;
  /** Connects to an IP address, never a name. Rejects with the signal's reason when it aborts. */
  dial(address: string, port: number, signal: AbortSignal): Promise<Connection>;
  ownAddresses(): ReadonlySet<string>;
}

/**
 * Names that strangers choose are asked of DNS directly: the system's lookup would also read the hosts file
 * and search domains, and occupies one of the process's four blocking threads while a slow server thinks.
 * Names that the operator allowed (`trusted`) get the system's lookup, where such entries live.
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
    // A server that knows nothing of one family must not hide the other.
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
    // Stays for good: an error in the moment between two owners of the socket would end the process.
    socket.on('error', reject);
    socket.once('connect', () => resolve({ socket, remoteAddress: socket.remoteAddress }));
    return () => socket.destroy();
  });
}

/** A promise that rejects with the signal's reason on abort, after undoing what was begun. */
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

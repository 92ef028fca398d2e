import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { canonicalAddress } from '#server/platform/media/address.ts';
import { createNetwork, type Network, untilAborted } from '#server/platform/media/network.ts';

/** The answer for a name or an address that nobody serves. */
type Wire = number | 'refuses' | 'is silent';

/**
 * A small internet for tests: names with the addresses of each look-up in turn, and public addresses whose
 * ports lead to real servers on loopback. Only look-up and routing are replaced; sockets, TLS and HTTP are
 * real.
 */
export interface Internet {
  network: Network;
  /** Every `address:port` that was dialled, in order. */
  dialled: string[];
  /** `answers[n]` is the result of the n-th look-up; the last one repeats. */
  name(hostname: string, ...answers: string[][]): void;
  route(address: string, port: number, to: Server | Wire): void;
  /** Gives this machine these addresses too. */
  own(...addresses: string[]): void;
  close(): void;
}

export function openInternet(): Internet {
  const names = new Map<string, string[][]>();
  const routes = new Map<string, Wire>();
  const sockets = new Set<Socket>();
  const dialled: string[] = [];
  const own = new Set<string>();
  const real = createNetwork();

  return {
    dialled,
    network: {
      async resolve(hostname) {
        const answers = names.get(hostname) ?? [];
        const answer = answers.length > 1 ? answers.shift() : answers[0];
        if (!answer) throw Object.assign(new Error(`queryA ENOTFOUND ${hostname}`), { code: 'ENOTFOUND' });
        return answer;
      },
      async dial(address, port, signal) {
        dialled.push(`${address}:${port}`);
        const wire = routes.get(`${address}:${port}`) ?? 'refuses';
        if (wire === 'is silent') return untilAborted<never>(signal, () => () => {});
        // A port without a listener: the system refuses the connection.
        const { socket } = await real.dial('127.0.0.1', wire === 'refuses' ? 1 : wire, signal);
        sockets.add(socket);
        return { socket, remoteAddress: address };
      },
      ownAddresses: () => new Set([...real.ownAddresses(), ...own]),
    },
    name: (hostname, ...answers) => void names.set(hostname, answers),
    route: (address, port, to) => {
      routes.set(`${address}:${port}`, typeof to === 'object' ? portOf(to) : to);
    },
    own: (...addresses) => {
      for (const address of addresses) own.add(canonicalAddress(address) ?? '');
    },
    close: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** A listener that must never be reached; it counts connections. */
export interface Canary {
  port: number;
  connections(): number;
  close(): Promise<void>;
}

export async function openCanary(host: string): Promise<Canary> {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.on('error', () => {});
    socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nsecret'));
  });
  await listen(server, host);
  return { port: portOf(server), connections: () => connections, close: () => stop(server) };
}

/** Listens on a free port of loopback. */
export async function listen<T extends Server>(server: T, host = '127.0.0.1'): Promise<T> {
  server.listen(0, host);
  await once(server, 'listening');
  return server;
}

export function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

/** Closes a server that may still have connections. */
export async function stop(server: Server & { closeAllConnections?(): void }): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections?.();
  await closed;
}

/** Whether loopback has IPv6 on this machine. */
export async function hasIpv6(): Promise<boolean> {
  const server = createServer();
  try {
    await listen(server, '::1');
    const socket = connect(portOf(server), '::1');
    await once(socket, 'connect');
    socket.destroy();
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}

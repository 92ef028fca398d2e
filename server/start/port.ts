import { once } from 'node:events';
import net from 'node:net';
import { StartError } from './start-error.ts';

/** An address that a process of the product will listen on. */
export interface WantedPort {
  host: string;
  port: number;
  /** The settings that it comes from. */
  settings?: { host: string; port: string };
}

const WEB = { host: 'HOST', port: 'PORT' };

/**
 * Checks before the start that all of these ports can be used.
 *
 * @returns the ports; a free one for 0.
 * @throws StartError with the settings of a port that cannot be used.
 */
export async function requirePorts(wanted: WantedPort[]): Promise<number[]> {
  await using probes = new AsyncDisposableStack();
  const ports: number[] = [];
  for (const each of wanted) {
    const probe = net.createServer();
    const { host, port } = each;
    await once(probe.listen({ host, port, exclusive: true }), 'listening').catch((error) => {
      throw new StartError(explain(error, each));
    });
    ports.push((probes.use(probe).address() as net.AddressInfo).port);
  }
  return ports;
}

function explain(error: NodeJS.ErrnoException, { host, port, settings = WEB }: WantedPort): string {
  switch (error.code) {
    case 'EADDRINUSE':
      return `Port ${port} on ${host} is in use. Stop the program that uses it, or set ${settings.port} to another port.`;
    case 'EACCES':
      return `This user may not use port ${port}. Set ${settings.port} to a port above 1023.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${host} (${settings.host}) is not an address of this machine. Set ${settings.host} to 127.0.0.1, 0.0.0.0 or one of the machine’s addresses.`;
    default:
      return `${host}:${port} cannot be used (${error.code ?? error.message}). Correct ${settings.host} and ${settings.port}.`;
  }
}

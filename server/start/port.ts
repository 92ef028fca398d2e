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
  const probes: net.Server[] = [];
  try {
    const ports: number[] = [];
    for (const each of wanted) ports.push(await hold(each, probes));
    return ports;
  } finally {
    await Promise.all(probes.map((probe) => new Promise((resolve) => probe.close(resolve))));
  }
}

/** {@link requirePorts} for one. */
export async function requirePort(host: string, port: number): Promise<number> {
  const [got = 0] = await requirePorts([{ host, port }]);
  return got;
}

function hold(wanted: WantedPort, probes: net.Server[]): Promise<number> {
  const { host, port } = wanted;
  return new Promise((resolve, reject) => {
    const probe = net.createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => reject(new StartError(explain(error, wanted))));
    probe.listen({ host, port, exclusive: true }, () => {
      probes.push(probe);
      resolve((probe.address() as net.AddressInfo).port);
    });
  });
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

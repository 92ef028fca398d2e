import net from 'node:net';
import { StartError } from './start-error.ts';

/**
 * Finds out, before anything is started, whether the address can be listened on.
 *
 * @returns the port; for 0 one that is free.
 * @throws StartError naming PORT or HOST.
 */
export function requirePort(host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = net.createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => reject(new StartError(explain(error, host, port))));
    probe.listen({ host, port, exclusive: true }, () => {
      const { port: got } = probe.address() as net.AddressInfo;
      probe.close(() => resolve(got));
    });
  });
}

function explain(error: NodeJS.ErrnoException, host: string, port: number): string {
  switch (error.code) {
    case 'EADDRINUSE':
      return `Port ${port} on ${host} is in use: stop the program that uses it, or set PORT to another one.`;
    case 'EACCES':
      return `Port ${port} may not be used by this user: set PORT to one above 1023.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `HOST is ${host}, which is no address of this machine: set HOST to 127.0.0.1, 0.0.0.0 or one of its own.`;
    default:
      return `HOST ${host} and PORT ${port} cannot be used (${error.code ?? error.message}): correct them.`;
  }
}

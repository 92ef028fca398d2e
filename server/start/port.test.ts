import net from 'node:net';
import { expect, test } from 'vitest';
import { requirePorts } from './port.ts';
import { StartError } from './start-error.ts';

async function listen(): Promise<{ port: number; close(): void }> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return { port: (server.address() as net.AddressInfo).port, close: () => server.close() };
}

async function requirePort(host: string, port: number): Promise<number> {
  const [got = 0] = await requirePorts([{ host, port }]);
  return got;
}

test('a busy port is refused with its number and the name of the setting', async () => {
  const busy = await listen();
  const refused = requirePort('127.0.0.1', busy.port);
  await expect(refused).rejects.toThrow(StartError);
  await expect(refused).rejects.toThrow(
    `Port ${busy.port} on 127.0.0.1 is in use. Stop the program that uses it, or set PORT to another port.`,
  );
  busy.close();
});

test('an address of another machine is refused with the name of the setting', async () => {
  await expect(requirePort('192.0.2.1', 0)).rejects.toThrow(/^192\.0\.2\.1 \(HOST\) is not an address/);
});

test('a free port stays free, and port 0 becomes a free port', async () => {
  const port = await requirePort('127.0.0.1', 0);
  expect(port).toBeGreaterThan(0);
  expect(await requirePort('127.0.0.1', port)).toBe(port);
});

test('of consecutive ports, a taken one is refused with the name of its own setting', async () => {
  const metrics = { host: 'METRICS_HOST', port: 'METRICS_PORT' };
  const free = await requirePort('127.0.0.1', 0);
  const both = requirePorts([
    { host: '127.0.0.1', port: free },
    { host: '127.0.0.1', port: free, settings: metrics },
  ]);
  await expect(both).rejects.toThrow(
    `Port ${free} on 127.0.0.1 is in use. Stop the program that uses it, or set METRICS_PORT`,
  );
  expect(await requirePort('127.0.0.1', free)).toBe(free);
});

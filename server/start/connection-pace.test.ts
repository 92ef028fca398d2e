import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, expect, test } from 'vitest';
import { paceConnections } from './connection-pace.ts';
import { createGuardedServer } from './malformed-request.ts';
import { parseInPieces } from './pipelining.ts';

const LIMITS = { perSecond: 10, atOnce: 3, waitMsMax: 250 };

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

/** The port on which a server listens until the test ends. */
async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ends.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

test('a connection that waits is answered at its turn, and one that would wait too long is ended', async () => {
  const server = createServer((_, res) => res.end('answered'));
  server.on('connection', parseInPieces);
  paceConnections(server, { ...LIMITS, perSecond: 5, atOnce: 1 });
  const port = await listen(server);
  const get = async () => {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    return text(socket).then(
      (answer) => answer.endsWith('answered'),
      () => false,
    );
  };
  const beganAtMs = performance.now();
  expect(await Promise.all([get(), get(), get()])).toEqual([true, true, false]);
  expect(performance.now() - beganAtMs).toBeGreaterThan(150);
});

test('an address whose connection ended because of too many requests waits with its next ones', async () => {
  const server = createGuardedServer({ pace: { perSecond: 50, atOnce: 20, waitMsMax: 5_000 } }, () => {});
  const port = await listen(server);
  const pipelined = connect(port, '127.0.0.1');
  pipelined.on('error', () => {}).write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(100));
  await once(pipelined, 'close');
  const next = connect(port, '127.0.0.1');
  const beganAtMs = performance.now();
  next.write('GET / HTTP/1.1\r\n\r\n');
  expect(await text(next)).toContain('400');
  expect(performance.now() - beganAtMs).toBeGreaterThan(1_000);
});

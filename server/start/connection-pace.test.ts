import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, expect, test } from 'vitest';
import { ConnectionPace, paceConnections } from './connection-pace.ts';
import { parseInPieces } from './pipelining.ts';

const LIMITS = { perSecond: 10, atOnce: 3, waitMsMax: 250 };

test('connections beyond those at once come at the pace of their address, and others do not wait', () => {
  const pace = new ConnectionPace(LIMITS);
  const waits = Array.from({ length: 7 }, () => pace.take('192.0.2.1', 1_000));
  expect(waits).toEqual([0, 0, 0, 100, 200, null, null]);
  expect(pace.take('192.0.2.2', 1_000)).toBe(0);
  expect(pace.take('192.0.2.1', 1_200)).toBe(100);
  expect(pace.take('192.0.2.1', 10_000)).toBe(0);
});

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

test('a connection that waits is answered at its turn, and one that would wait too long is ended', async () => {
  const server = createServer((_, res) => res.end('answered'));
  server.on('connection', parseInPieces);
  paceConnections(server, { ...LIMITS, perSecond: 5, atOnce: 1 });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ends.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
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

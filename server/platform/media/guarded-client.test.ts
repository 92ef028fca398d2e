import type { Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { setUpLab } from '#server/testing/media/lab.ts';
import { openGuardedClient } from './guarded-client.ts';

const lab = setUpLab();
const MIB = 1024 ** 2;

function client() {
  const { network } = lab.internet;
  const rules = { allowHosts: [], ports: [80], network };
  const opened = openGuardedClient('http://public.test/', { ...rules, answerMs: 10_000, connections: 1 });
  onTestFinished(() => opened.close());
  return opened;
}

/** Writes the same bytes as fast as they are taken, until the connection closes. */
function pour(socket: Socket, bytes: Buffer): void {
  const more = () => {
    while (!socket.destroyed && socket.write(bytes));
  };
  socket.on('drain', more);
  more();
}

test.each([
  ['', 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'.repeat(500)],
  ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n', `1;${'e'.repeat(60_000)}\r\nx\r\n`],
])('an answer is cut off when interim answers or chunk extensions never end: %j', async (head, flood) => {
  const sockets: Socket[] = [];
  await lab.serveRaw((socket) => {
    sockets.push(socket);
    socket.write(head);
    pour(socket, Buffer.from(flood));
  });
  await expect(client().post('{}', {})).rejects.toThrow('more than 393216 bytes came');
  // Includes what the system's buffers hold.
  expect(sockets[0]?.bytesWritten).toBeLessThan(16 * MIB);
});

test('a 100 Continue that nobody asked for is skipped, on each request of a connection', async () => {
  const sockets = new Set<Socket>();
  await lab.serve((request, response) => {
    sockets.add(request.socket);
    response.writeContinue();
    request.resume().once('end', () => response.end('ok'));
  });
  const { post } = client();
  for (let n = 0; n < 3; n += 1) expect(await post('{}', {})).toMatchObject({ status: 200, body: 'ok' });
  expect(sockets.size).toBe(1);
});

test('a connection answers any number of requests', async () => {
  const sockets = new Set<Socket>();
  await lab.serve((request, response) => {
    sockets.add(request.socket);
    request.resume().once('end', () => response.end('x'.repeat(60_000)));
  });
  const { post } = client();
  for (let n = 0; n < 20; n += 1) expect((await post('{}', {})).body).toHaveLength(60_000);
  expect(sockets.size).toBe(1);
});

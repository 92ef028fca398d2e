import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { buffer, text } from 'node:stream/consumers';
import { afterEach, expect, test } from 'vitest';
import { createGuardedServer } from './malformed-request.ts';

const cleanup = new Set<() => void>();
afterEach(() => {
  for (const close of cleanup) close();
  cleanup.clear();
});

const GET = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';

/** Opens a connection to a server that answers with `listener`. `onRead` is called for each request that it reads. */
async function connection(listener: RequestListener, silentMs?: number, onRead = () => {}) {
  const server = createGuardedServer(silentMs === undefined ? {} : { silentMs }, listener);
  server.on('request', onRead);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanup.add(() => {
    server.closeAllConnections();
    server.close();
  });
  return connect((server.address() as AddressInfo).port, '127.0.0.1');
}

/** How many requests Node reads of a connection that sends these, and how many are answered. */
async function pipelined(requests: number) {
  const counts = { read: 0, answered: 0, atOnceMax: 0 };
  let atOnce = 0;
  const socket = await connection(
    (_, res) => {
      atOnce += 1;
      counts.answered += 1;
      counts.atOnceMax = Math.max(counts.atOnceMax, atOnce);
      setImmediate(() => {
        atOnce -= 1;
        res.end(`answer ${counts.answered}`);
      });
    },
    undefined,
    () => {
      counts.read += 1;
    },
  );
  socket.on('error', () => {});
  socket.write(GET.repeat(requests - 1) + GET.replace('Host', 'Connection: close\r\nHost'));
  return { counts, received: await text(socket).catch(() => '') };
}

test('a connection with more than 32 unanswered requests ends, and the others are hardly read', async () => {
  const { counts } = await pipelined(1_600);
  expect(counts.answered).toBeLessThanOrEqual(32);
  // Node alone would read 64 KiB of them.
  expect(counts.read).toBeLessThan(150);
});

test('the requests of a connection are answered one after the other', async () => {
  const { counts, received } = await pipelined(32);
  expect(counts).toEqual({ read: 32, answered: 32, atOnceMax: 1 });
  expect(received.match(/answer \d+/g)).toEqual(Array.from({ length: 32 }, (_, n) => `answer ${n + 1}`));
});

test('requests that follow long answers, which their client has not read yet, are answered too', async () => {
  const answer = Buffer.alloc(200_000, 'x');
  const socket = await connection((req, res) => res.end(req.url === '/last' ? 'the last' : answer));
  const head = `Host: x\r\nX-Filler: ${'x'.repeat(500)}\r\n`;
  socket.write(`GET / HTTP/1.1\r\n${head}\r\n`.repeat(20));
  socket.write(`GET /last HTTP/1.1\r\n${head}Connection: close\r\n\r\n`);
  expect(await text(socket)).toMatch(/the last$/);
});

test('a long body that comes in pieces arrives whole', async () => {
  const received = Promise.withResolvers<Buffer>();
  const sent = randomBytes(300_000);
  const socket = await connection(async (req, res) => {
    received.resolve(await buffer(req));
    res.end();
  });
  socket.resume().write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${sent.length}\r\n\r\n`);
  socket.write(sent);
  expect((await received.promise).equals(sent)).toBe(true);
});

test('a client that does not read is cut off; one that waits for a response is not', async () => {
  const waiting = await connection((_, res) => void setTimeout(() => res.end('late'), 150), 300);
  waiting.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  expect(await text(waiting)).toMatch(/late$/);
  const gone = Promise.withResolvers<boolean>();
  const idle = await connection((_, res) => {
    res.once('close', () => gone.resolve(res.writableFinished));
    res.end(Buffer.alloc(64 * 1024 * 1024));
  }, 300);
  idle.on('error', () => {}).write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  expect(await gone.promise).toBe(false);
});

test('a client that reads a response a little at a time is cut off too', async () => {
  const gone = Promise.withResolvers<boolean>();
  const slow = await connection((_, res) => {
    res.once('close', () => gone.resolve(res.writableFinished));
    res.end(Buffer.alloc(64 * 1024 * 1024));
  }, 300);
  slow.on('error', () => {}).write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  // Often enough that the connection is never silent for long.
  const reading = setInterval(() => slow.read(), 2);
  cleanup.add(() => clearInterval(reading));
  slow.on('readable', () => {});
  expect(await gone.promise).toBe(false);
});

const POST = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}';

test.each(['\0', '}', '  \n', 'GET / HTTP/1.1\r\nContent-Length: x\r\n\r\n'])(
  'a request that %j follows gets its own response, and the connection ends',
  async (surplus) => {
    // The surplus is read in the same turn as the request.
    const socket = await connection((_, res) => void setImmediate(() => res.end('the outcome')));
    socket.write(POST + surplus);
    expect(await text(socket)).toMatch(
      /^HTTP\/1\.1 200 OK\r\n(.*\r\n)*Connection: close\r\n(.*\r\n)*\r\nthe outcome$/,
    );
  },
);

test('its caller may still hang up', async () => {
  const closed = Promise.withResolvers<boolean>();
  const socket = await connection((_, res) => {
    res.once('close', () => closed.resolve(res.writableFinished));
    socket.destroy();
  });
  socket.write(`${POST}}`);
  expect(await closed.promise).toBe(false);
});

test('a request that is malformed itself is 400', async () => {
  const socket = await connection(() => {});
  socket.write('POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nnot a length\r\n');
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
});

test.each([
  [400, 'GET / HTTP/1.1\r\n\r\n', 'The Host header is missing'],
  [400, 'GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n', 'more than once'],
  [400, 'GET / HTTP/1.1\r\nHost: x\r\nhost: x\r\n\r\n', 'more than once'],
  [417, 'POST / HTTP/1.1\r\nHost: x\r\nExpect: other\r\nContent-Length: 2\r\n\r\n{}', '100-continue'],
  [417, 'POST / HTTP/1.1\r\nExpect: other\r\nContent-Length: 2\r\n\r\n{}', '100-continue'],
])('a request that Node would refuse with a bare %i gets the envelope', async (status, bytes, says) => {
  const socket = await connection(() => {
    throw new Error('nobody handles it');
  });
  socket.write(bytes);
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(head).toMatch(/\r\nX-Request-Id: [\da-f-]{36}\r\n/);
  expect(head).toContain('\r\nX-Error-Code: invalid_parameters\r\n');
  expect(JSON.parse(body)).toEqual({ success: false, error: expect.stringContaining(says) });
});

test('HTTP/1.0 needs no host, and a client that waits for 100-continue is answered', async () => {
  const old = await connection((_, res) => res.end('old'));
  old.write('GET / HTTP/1.0\r\n\r\n');
  expect(await text(old)).toMatch(/old$/);
  const careful = await connection((_, res) => res.end('careful'));
  careful.write(
    'POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nExpect: 100-continue\r\nContent-Length: 0\r\n\r\n',
  );
  expect(await text(careful)).toMatch(/^HTTP\/1\.1 100 Continue\r\n.*careful$/s);
});

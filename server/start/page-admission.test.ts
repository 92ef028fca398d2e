import { createServer, request, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterEach, expect, test, vi } from 'vitest';
import { signedInAs } from '#server/platform/page-turn.ts';
import { postInPieces } from '#server/testing/http-pieces.ts';
import { BODY_BYTES_MAX, PAGE_LIMITS, PageAdmission, TARGET_CHARS_MAX } from './page-admission.ts';

const EVENTUALLY_MS = 20_000;

interface Answer {
  status: number;
  retryAfter: string | undefined;
  body: string;
}

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

/** A server whose pages answer when the test releases them. */
async function serve() {
  const admission = new PageAdmission();
  const held: ServerResponse[] = [];
  const seen: (string | undefined)[] = [];
  const bodies: { isComplete: boolean; bytes: number }[] = [];
  /** How many requests the admission is done with. */
  const ended = { count: 0 };
  const server = createServer((req, res) => {
    if (req.url?.startsWith('/v1/')) {
      admission.noteApi(res);
      if (req.url === '/v1/status') res.end('{}');
      return;
    }
    const through = admission.through(req, res, async (asked, answer) => {
      seen.push(asked.url);
      if (asked.url === '/read') {
        const isComplete = asked.complete;
        bodies.push({ isComplete, bytes: (await buffer(asked)).length });
      }
      if (asked.url === '/signs-in') signedInAs('acc_1');
      if (asked.url?.startsWith('/held')) held.push(answer);
      else answer.end('a page');
    });
    void through.then(() => {
      ended.count += 1;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  stops.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const get = (path: string, headers: Record<string, string> = {}) =>
    new Promise<Answer>((resolve, reject) => {
      const asked = request({ port, host: '127.0.0.1', path, headers, agent: false }, (res) => {
        let body = '';
        res.setEncoding('utf8').on('data', (text) => {
          body += text;
        });
        res.once('end', () =>
          resolve({ status: res.statusCode ?? 0, retryAfter: res.headers['retry-after'], body }),
        );
      });
      asked.once('error', reject);
      asked.end();
    });
  return { port, get, held, seen, bodies, ended };
}

test('requests of one address beyond its share are refused with a sentence, after a delay that prevents immediate repeats', async () => {
  const { get, held } = await serve();
  const open = Array.from({ length: PAGE_LIMITS.perAddress }, () => get('/held'));
  await vi.waitFor(() => expect(held).toHaveLength(PAGE_LIMITS.atOnce), EVENTUALLY_MS);
  const askedAtMs = performance.now();
  const page = await get('/overview');
  expect(page).toEqual({ status: 429, retryAfter: '2', body: expect.stringContaining('from this address') });
  expect(performance.now() - askedAtMs).toBeGreaterThan(900);
  const ofApi = await get('/api/trpc/account.me');
  expect(JSON.parse(ofApi.body)).toEqual({
    error: {
      message: expect.stringContaining('Wait a moment'),
      code: expect.any(Number),
      data: { code: 'TOO_MANY_REQUESTS', httpStatus: 429 },
    },
  });
  await vi.waitFor(() => {
    for (const answer of held.splice(0)) answer.end('late');
    expect(held).toHaveLength(0);
  }, EVENTUALLY_MS);
  const drain = setInterval(() => {
    for (const answer of held.splice(0)) answer.end('late');
  }, 5);
  stops.push(() => clearInterval(drain));
  expect((await Promise.all(open)).every(({ status }) => status === 200)).toBe(true);
});

test('strangers at an address do not refuse those who are signed in there', async () => {
  const { get, held } = await serve();
  const cookie = 'wirebird.session=known';
  await get('/signs-in', { cookie });
  for (let n = 0; n < PAGE_LIMITS.perAddress; n++) void get('/held').catch(() => {});
  await vi.waitFor(() => expect(held).toHaveLength(PAGE_LIMITS.atOnce), EVENTUALLY_MS);
  expect((await get('/overview')).status).toBe(429);
  expect((await get('/overview', { cookie })).status).toBe(200);
});

test('requests of one sign-in beyond its share are refused', async () => {
  const { get, held } = await serve();
  const cookie = 'wirebird.theme=dark; wirebird.session=one-of-ours';
  for (let n = 0; n < PAGE_LIMITS.perSession; n++) void get('/held', { cookie }).catch(() => {});
  await vi.waitFor(() => expect(held).toHaveLength(PAGE_LIMITS.atOnce), EVENTUALLY_MS);
  expect(await get('/overview', { cookie })).toMatchObject({
    status: 429,
    body: expect.stringContaining('of this browser'),
  });
});

test('a waiting API request leaves the pages their places', async () => {
  const { get, held } = await serve();
  void get('/v1/messages/text').catch(() => {});
  const open = Array.from({ length: PAGE_LIMITS.atOnce }, () => get('/held'));
  await vi.waitFor(() => expect(held).toHaveLength(PAGE_LIMITS.atOnce), EVENTUALLY_MS);
  for (const answer of held) answer.end('late');
  expect((await Promise.all(open)).map(({ status }) => status)).toEqual(open.map(() => 200));
});

test('an address longer than any valid one is refused unread', async () => {
  const { get, seen } = await serve();
  const answer = await get(`/api/trpc/account.setUp?${'x'.repeat(TARGET_CHARS_MAX)}`);
  expect(answer.status).toBe(414);
  expect(seen).toEqual([]);
});

test.each([
  ['announced', true],
  ['in chunks', false],
])(
  'a body that is too long, %s, is refused before a page sees it, and its sender gets the answer',
  async (_, announced) => {
    const { port, seen } = await serve();
    const post = (path: string) =>
      postInPieces({ port, path, headers: {}, bytes: 5 * 1024 * 1024, announced });
    const answers = await Promise.all(Array.from({ length: 30 }, () => post('/api/trpc/account.signUp')));
    for (const answer of answers) {
      expect(answer).toMatch(/^HTTP\/1\.1 413 /);
      expect(answer).toContain('"code":"PAYLOAD_TOO_LARGE"');
    }
    expect(await post('/sign-in')).toMatch(/^HTTP\/1\.1 413 /);
    expect(seen).toEqual([]);
  },
);

test.each([
  ['announced', true],
  ['in chunks', false],
])(
  'an acceptable body, %s, is complete before a page sees it, and the page reads all of it',
  async (_, announced) => {
    const { port, bodies } = await serve();
    for (const bytes of [0, 1, 100_000, BODY_BYTES_MAX]) {
      expect(await postInPieces({ port, path: '/read', headers: {}, bytes, announced })).toMatch(
        /^HTTP\/1\.1 200 /,
      );
      expect(bodies.splice(0)).toEqual([{ isComplete: true, bytes }]);
    }
  },
);

test('a page that answers without reading the body reaches a client that sends all of it first', async () => {
  const { port } = await serve();
  const post = () =>
    postInPieces({ port, path: '/overview', headers: {}, bytes: BODY_BYTES_MAX, announced: true });
  for (const answer of await Promise.all(Array.from({ length: 30 }, post)))
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
});

test('probes are answered while pages occupy every place', async () => {
  const { get, held } = await serve();
  for (let n = 0; n < PAGE_LIMITS.perAddress; n++) void get('/held').catch(() => {});
  await vi.waitFor(() => expect(held).toHaveLength(PAGE_LIMITS.atOnce), EVENTUALLY_MS);
  expect((await get('/readyz')).status).toBe(200);
});

test('bodies that trickle in take no place from other requests', async () => {
  const { port, get } = await serve();
  const sockets: Socket[] = [];
  stops.push(() => {
    for (const socket of sockets) socket.destroy();
  });
  for (let n = 0; n < PAGE_LIMITS.perAddress * 2; n++) {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write('POST /held HTTP/1.1\r\nhost: a\r\ncontent-length: 100\r\n\r\nx');
    sockets.push(socket);
  }
  expect((await get('/overview')).status).toBe(200);
});

test('uploads that are broken off keep no place, beside an API in use as well', async () => {
  const { port, get, ended } = await serve();
  for (let n = 0; n < PAGE_LIMITS.perAddress; n++) {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write('POST /held HTTP/1.1\r\nhost: a\r\ncontent-length: 1000\r\n\r\nx', () => socket.destroy());
  }
  await vi.waitFor(() => expect(ended.count).toBe(PAGE_LIMITS.perAddress), EVENTUALLY_MS);
  await get('/v1/status');
  const askedAtMs = performance.now();
  expect((await get('/overview')).status).toBe(200);
  expect(performance.now() - askedAtMs).toBeLessThan(1_000);
});

test('requests whose sender leaves while they wait for their turn keep no place', async () => {
  const { port, get, held, ended } = await serve();
  for (let n = 0; n < PAGE_LIMITS.atOnce; n++) void get('/held').catch(() => {});
  await vi.waitFor(() => expect(held).toHaveLength(PAGE_LIMITS.atOnce), EVENTUALLY_MS);
  const left = PAGE_LIMITS.perAddress - PAGE_LIMITS.atOnce;
  for (let n = 0; n < left; n++) {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write('GET /held HTTP/1.1\r\nhost: a\r\n\r\n', () => socket.destroy());
  }
  await vi.waitFor(() => expect(ended.count).toBe(left), EVENTUALLY_MS);
  for (const answer of held.splice(0)) answer.end('late');
  expect((await get('/overview')).status).toBe(200);
});

test('long bodies that never end use bounded memory, and short ones pass meanwhile', async () => {
  const { port, get } = await serve();
  const sockets: Socket[] = [];
  stops.push(() => {
    for (const socket of sockets) socket.destroy();
  });
  const body = Buffer.alloc(BODY_BYTES_MAX - 1, ' ');
  const answers: string[] = [];
  for (let n = 0; n < 350; n++) {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    socket.on('data', (data) => answers.push(String(data)));
    socket.write(`POST /held HTTP/1.1\r\nhost: a\r\ncontent-length: ${BODY_BYTES_MAX}\r\n\r\n`);
    socket.write(body);
    sockets.push(socket);
  }
  await vi.waitFor(() => expect(answers.length).toBeGreaterThan(50), EVENTUALLY_MS);
  expect(answers.every((answer) => answer.startsWith('HTTP/1.1 503 '))).toBe(true);
  const short = { port, path: '/read', headers: {}, bytes: 1_000, announced: false };
  expect(await postInPieces(short)).toMatch(/^HTTP\/1\.1 200 /);
  expect((await get('/overview')).status).toBe(200);
});

test('live updates free their place once they have begun', async () => {
  const { get, held } = await serve();
  for (let round = 0; round < PAGE_LIMITS.perAddress; round++) {
    void get('/held').catch(() => {});
    await vi.waitFor(() => expect(held).toHaveLength(1), EVENTUALLY_MS);
    held.pop()?.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: x\n\n');
  }
  expect((await get('/overview')).status).toBe(200);
});

import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { LIMITS } from '#server/core/limits.ts';
import { postInPieces } from '#server/testing/http-pieces.ts';
import { makeCaller, type RestWorld, startRest, type TestCaller } from '#server/testing/rest.ts';

let world: RestWorld;
let caller: TestCaller;
beforeAll(async () => {
  world = await startRest();
  caller = await makeCaller(world);
});
afterAll(() => world[Symbol.asyncDispose]());

const RIGHT = { to: '4915228817386', body: 'Good morning' };
const post = (body: unknown, headers: Record<string, string> = {}) =>
  world.call('/messages/text', {
    key: caller.key,
    headers: { prefer: 'respond-async', ...headers },
    body,
  });

describe('content type', () => {
  test.each([
    'application/json',
    'Application/JSON; charset=UTF-8',
    'application/json;charset="utf-8"',
    'application/vnd.api+json',
  ])('%s is JSON', async (type) => {
    expect((await post(RIGHT, { 'content-type': type })).status).toBe(202);
  });

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'json',
    '',
  ])('%j is 400, after the key', async (type) => {
    const answer = await post(RIGHT, { 'content-type': type });
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({
      success: false,
      error: 'The body must be JSON. Send it with "Content-Type: application/json".',
    });
    const keyless = await world.call('/messages/text', {
      body: { ...RIGHT, token: caller.key },
      headers: { 'content-type': type },
    });
    expect(keyless.status).toBe(401);
  });

  test('another charset is 400', async () => {
    const answer = await post(RIGHT, { 'content-type': 'application/json; charset=iso-8859-1' });
    expect(answer.body).toEqual({ success: false, error: expect.stringContaining('UTF-8') });
    expect(answer.status).toBe(400);
  });

  test.each(['identity', 'utf-8', 'UTF-8', 'application/json', 'none'])(
    'a Content-Encoding of %s compresses nothing',
    async (encoding) => {
      expect((await post(RIGHT, { 'content-encoding': encoding })).status).toBe(202);
    },
  );

  test('a compressed body is 400 with our own sentence, not a parser’s', async () => {
    const answer = await post(Buffer.from([0x1f, 0x8b]), { 'content-encoding': 'gzip' });
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({ success: false, error: expect.stringContaining('compressed') });
  });
});

describe('a body that is not a JSON object', () => {
  test.each([
    ['{', 'valid JSON'],
    ['{"to":"4915228817386",}', 'valid JSON'],
    ["{'to':'4915228817386'}", 'valid JSON'],
    ['{"body":"line\nbreak"}', 'valid JSON'],
    ['', 'empty'],
    [' ', 'empty'],
    ['null', 'must be a JSON object'],
    ['[]', 'must be a JSON object'],
    ['"text"', 'must be a JSON object'],
    ['5', 'must be a JSON object'],
  ])('%j is 400 with the key in a header, and 401 without', async (body, says) => {
    const answer = await post(body);
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({ success: false, error: expect.stringContaining(says) });
    const keyless = await world.call('/messages/text', { body });
    expect(keyless.status).toBe(401);
  });

  test.each([
    ['{"to":"4915228817386","body":"Größe é"}', 2],
    ['{"to":"4915228817386","body":"👋"}', 2],
    ['{"to":"4915228817386","body":"🦉🦉🦉"}', 6],
    ['{"to":"4915228817386","body":"Hi"}', 1],
    ['{"to":"4915228817386","body":"Hi"}', 12],
    ['{"to":"4915228817386"', 0],
  ])(
    '%s without its last %i bytes, as a Content-Length in characters cuts it, is named so',
    async (body, cut) => {
      const bytes = Buffer.from(body);
      const answer = await post(bytes.subarray(0, bytes.length - cut));
      expect([answer.status, answer.body]).toEqual([
        400,
        {
          success: false,
          error: `The body is not valid JSON: it ends too early, after ${bytes.length - cut} bytes. Send the rest too. A Content-Length counts the bytes of the body, not its characters; leave it to the HTTP library.`,
        },
      ]);
    },
  );

  test('the sentence does not quote the body', async () => {
    const answer = await post('{"body":"a secret" x');
    expect(JSON.stringify(answer.body)).not.toContain('secret');
  });

  test.each([
    ['a lone continuation byte', [0x80]],
    ['an overlong form', [0xc0, 0xaf]],
    ['half a surrogate pair', [0xed, 0xa0, 0x80]],
    ['a cut character in the middle', [0xe2, 0x82]],
  ])('%s is not UTF-8 and answers 400', async (_, bytes) => {
    const answer = await post(
      Buffer.concat([Buffer.from('{"to":"4915228817386","body":"'), Buffer.from(bytes), Buffer.from('"}')]),
    );
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({
      success: false,
      error: 'The body is not valid UTF-8. Encode it as UTF-8.',
    });
  });

  test('a byte order mark is accepted', async () => {
    const answer = await post(
      Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(JSON.stringify(RIGHT))]),
    );
    expect(answer.status).toBe(202);
  });

  test('nesting as deep as the limit allows is accepted', async () => {
    const depth = LIMITS.requestBytesMax / 2 - 100;
    const answer = await post(`{"x":${'['.repeat(depth)}${']'.repeat(depth)}}`);
    expect(answer.status).toBe(400);
  });
});

/** A request with `padding` bytes of an unknown field, of exactly `bytes` bytes. */
function ofSize(bytes: number): string {
  const start = `${JSON.stringify(RIGHT).slice(0, -1)},"padding":"`;
  return `${start}${'x'.repeat(bytes - start.length - 2)}"}`;
}

describe('256 KiB', () => {
  test('pass, and one more byte does not', async () => {
    expect((await post(ofSize(LIMITS.requestBytesMax))).status).toBe(202);
    const over = await post(ofSize(LIMITS.requestBytesMax + 1));
    expect(over.status).toBe(413);
    expect(over.body).toEqual({ success: false, error: expect.stringContaining('larger than 256 KiB') });
  });

  test('are counted while reading when no length was announced', async () => {
    const head = `POST /v1/messages/text HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${caller.key}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const chunk = `1000\r\n${' '.repeat(0x1000)}\r\n`;
    const answer = await world.raw(`${head}${chunk.repeat(65)}0\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer).toContain('"success":false');
  });

  test('the answer still arrives for a body far beyond them', async () => {
    const answer = await post(ofSize(8 * 1024 * 1024));
    expect(answer.status).toBe(413);
  });

  test.each([
    ['too long, announced', true, 'application/json', 413],
    ['too long, in chunks', false, 'application/json', 413],
    ['of another type, announced', true, 'text/plain', 400],
    ['of another type, in chunks', false, 'text/plain', 400],
  ])(
    'a client that sends its whole body %s before it reads gets the answer',
    async (_, announced, type, status) => {
      for (let round = 0; round < 20; round++) {
        const answer = await postInPieces({
          port: world.port,
          path: '/v1/messages/text',
          headers: { authorization: `Bearer ${caller.key}`, 'content-type': type },
          bytes: 5 * 1024 * 1024,
          announced,
        });
        expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
        expect(answer).toContain('"success":false');
      }
    },
  );

  test('a body that never ends is cut off', async () => {
    const socket = connect(world.port, '127.0.0.1');
    const answer = text(socket).catch((error: NodeJS.ErrnoException) => error.code);
    socket.write(
      `POST /v1/messages/text HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${caller.key}\r\nContent-Type: application/json\r\nContent-Length: 1000000000\r\n\r\n`,
    );
    const chunk = Buffer.alloc(1024 * 1024, 32);
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    let sent = 0;
    socket.on('error', () => {});
    while (!socket.destroyed && sent < 1_000_000_000) {
      sent += chunk.length;
      if (!socket.write(chunk)) {
        await Promise.race([closed, new Promise((resolve) => socket.once('drain', resolve))]);
      }
    }
    socket.destroy();
    await answer;
    expect(sent).toBeLessThan(100 * 1024 * 1024);
  });
});

test('long bodies that never end use bounded memory, and short ones pass meanwhile', async () => {
  const answers: string[] = [];
  const sockets = Array.from({ length: 350 }, () => {
    const socket = connect(world.port, '127.0.0.1');
    socket.on('error', () => {}).on('data', (data) => answers.push(String(data)));
    socket.write(
      `POST /v1/messages/text HTTP/1.1\r\nHost: x\r\nx-api-key: ${caller.key}\r\nContent-Type: application/json\r\nContent-Length: ${LIMITS.requestBytesMax}\r\n\r\n${' '.repeat(LIMITS.requestBytesMax - 1)}`,
    );
    return socket;
  });
  await vi.waitFor(() => expect(answers).not.toHaveLength(0), 15_000);
  expect((await post(RIGHT)).status).toBe(202);
  for (const answer of answers) expect(answer).toMatch(/^HTTP\/1\.1 429 [\s\S]*x-error-code: rate_limited/i);
  for (const socket of sockets) socket.destroy();
}, 60_000);

test('a body that is not needed is not awaited', async () => {
  // An impossible key and a path without a body: answered before the body has arrived.
  for (const [target, status] of [
    ['POST /v1/messages/text', 401],
    ['GET /v1/status', 401],
  ]) {
    const answer = await new Promise<string>((resolve) => {
      const socket = connect(world.port, '127.0.0.1');
      socket.once('data', (data) => {
        resolve(String(data));
        socket.destroy();
      });
      socket.write(`${target} HTTP/1.1\r\nHost: x\r\nx-api-key: wrong\r\nContent-Length: 1000\r\n\r\n`);
    });
    expect(answer).toContain(`HTTP/1.1 ${status} `);
  }
});

test('two requests on one connection are answered in order, with a refused body between them', async () => {
  const head = (length: number, rest = '') =>
    `POST /v1/messages/text HTTP/1.1\r\nHost: x\r\n${rest}Content-Length: ${length}\r\n\r\n`;
  const answer = await world.raw(
    `${head(9, 'x-api-key: wrong\r\n')}{"a": 123${head(2, 'Connection: close\r\nContent-Type: application/json\r\n')}{}`,
  );
  expect(answer.match(/HTTP\/1\.1 401 /g)).toHaveLength(2);
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeCaller, type RestWorld, startRest, type TestCaller } from '#server/testing/rest.ts';

let world: RestWorld;
let caller: TestCaller;
beforeAll(async () => {
  world = await startRest();
  caller = await makeCaller(world);
});
afterAll(() => world[Symbol.asyncDispose]());

/** Status, headers and envelope of a request given byte by byte. */
async function ask(line: string, headers: string[] = []) {
  const answer = await world.raw(
    [`${line} HTTP/1.1`, 'Host: x', 'Connection: close', ...headers, '', ''].join('\r\n'),
  );
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  return { status: Number(head.split(' ')[1]), head, body: body === '' ? null : JSON.parse(body) };
}

const ENVELOPE = { success: false, error: expect.any(String) };

describe('a path below /v1', () => {
  const TARGETS = [
    '/v1',
    '/v1/',
    '/v1?x=1',
    '/v1/nothing',
    '/v1/message',
    '/v1/message/',
    '/v1/messages/text/more',
    '/v1/STATUS',
    '/v1/%zz',
    '/v1/%00',
    '/v1/%73tatus',
    '/v1/../admin',
    '/v1/./status',
    '/v1/messages/.',
    '/v1/messages/..',
    '/v1/messages/../cancel',
    '/v1//status',
    '/v1/status;x=1',
    '/v1/status%2F',
    '/v1/status%20',
    '/v1/openapi.yaml',
    '//v1/status',
    '///v1/status',
    '/./v1/status',
    '/x/../v1/status',
    '/%76%31/status',
    '/V1/status',
    '/\\v1/status',
    '/v1\\status',
  ];

  test.each(TARGETS)('GET %s is 401 without a key and 404 with one, in the envelope', async (target) => {
    const keyless = await ask(`GET ${target}`);
    expect(keyless.status).toBe(401);
    expect(keyless.body).toEqual(ENVELOPE);
    const known = await ask(`GET ${target}`, [`x-api-key: ${caller.key}`]);
    expect(known.status).toBe(404);
    expect(known.body).toEqual(ENVELOPE);
    expect(known.head).toMatch(/x-request-id: /i);
  });

  const METHODS = ['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY', 'LOCK'];
  test.each(METHODS)('method %s is 401 without a key and 404 with one, on every path', async (method) => {
    for (const target of ['/v1/status', '/v1/messages/text', '/v1/openapi.json', '/v1/nothing']) {
      const keyless = await ask(`${method} ${target}`);
      expect(keyless.status).toBe(401);
      expect(keyless.body).toEqual(ENVELOPE);
      const known = await ask(`${method} ${target}`, [`x-api-key: ${caller.key}`]);
      expect(known.status).toBe(404);
      expect(known.body).toEqual(ENVELOPE);
    }
  });

  test('a wrong method is answered with the right one', async () => {
    const get = await ask('GET /v1/messages/text', [`x-api-key: ${caller.key}`]);
    expect(get.status).toBe(404);
    expect(get.body.error).toBe('This path accepts only POST. See /docs for the list of endpoints.');
    const post = await ask('POST /v1/status', [`x-api-key: ${caller.key}`, 'Content-Length: 0']);
    expect(post.status).toBe(404);
    expect(post.body.error).toBe('This path accepts only GET. See /docs for the list of endpoints.');
  });

  test('the OpenAPI document, asked for with a wrong method, is not called missing', async () => {
    const post = await ask('POST /v1/openapi.json', [`x-api-key: ${caller.key}`, 'Content-Length: 0']);
    expect(post.status).toBe(404);
    expect(post.body.error).toBe('This path accepts only GET. See /docs for the list of endpoints.');
  });

  test('a kind that does not exist is answered with the kinds', async () => {
    for (const kind of ['txt', 'TEXT', 'video']) {
      const post = await ask(`POST /v1/messages/${kind}`, [`x-api-key: ${caller.key}`, 'Content-Length: 0']);
      expect(post.status).toBe(404);
      expect(post.body.error).toBe(
        'There is no such kind of message. The kinds are: text, image, document, location, contact, audio.',
      );
    }
    const cancel = await ask('GET /v1/messages/msg_x/cancel', [`x-api-key: ${caller.key}`]);
    expect(cancel.body.error).toBe('This path accepts only POST. See /docs for the list of endpoints.');
  });

  test('a key in the body counts on an unknown path too', async () => {
    const body = JSON.stringify({ token: caller.key });
    const answer = await world.raw(
      `POST /v1/nothing HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 404 /);
  });

  test.each([
    '/v1/status/',
    '/v1/status//',
    '/v1/status?x=1',
    '/v1/status/?',
    'http://other.example/v1/status',
  ])('%s is GET /status', async (target) => {
    const answer = await ask(`GET ${target}`, [`x-api-key: ${caller.key}`]);
    expect(answer.status).toBe(200);
    expect(answer.body.data.instance).toBe(caller.numberId);
  });

  test('HEAD has the status and headers of GET without a body', async () => {
    const head = await ask('HEAD /v1/status', [`x-api-key: ${caller.key}`]);
    const get = await ask('GET /v1/status', [`x-api-key: ${caller.key}`]);
    expect([head.status, head.body]).toEqual([200, null]);
    const length = /content-length: (\d+)/i;
    expect(length.exec(head.head)?.[1]).toBe(length.exec(get.head)?.[1]);
    expect((await ask('HEAD /v1/nothing')).status).toBe(401);
  });

  test('no page of another site may call it', async () => {
    const origin = ['Origin: https://evil.example', 'Access-Control-Request-Method: POST'];
    for (const line of ['OPTIONS /v1/messages/text', 'GET /v1/status', 'GET /v1/openapi.json']) {
      const answer = await ask(line, [...origin, `x-api-key: ${caller.key}`]);
      expect(answer.head).not.toMatch(/access-control/i);
    }
  });

  test('headers that override methods, hosts or frameworks are ignored', async () => {
    const answer = await ask('GET /v1/messages/text', [
      `x-api-key: ${caller.key}`,
      'X-HTTP-Method-Override: POST',
      'X-Middleware-Subrequest: proxy',
      'X-Forwarded-Host: evil.example',
      'X-Original-URL: /v1/status',
    ]);
    expect(answer.status).toBe(404);
  });

  test('no answer may be cached', async () => {
    for (const headers of [[], [`x-api-key: ${caller.key}`]]) {
      expect((await ask('GET /v1/status', headers)).head).toMatch(/cache-control: no-store/i);
    }
  });
});

import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { errors, type SendOptions, Wirebird, WirebirdError, type WirebirdOptions } from '../src/index.ts';

interface Asked {
  key: string | undefined;
  body: string;
}
type Answer = (response: ServerResponse, request: IncomingMessage) => void;

/** What the server answers to the next requests; the last one is repeated. */
let answers: Answer[] = [];
const asked: Asked[] = [];
/** `X-Send-At` of each request. */
const sendAts: unknown[] = [];
const server = http.createServer(async (request, response) => {
  const key = request.headers['idempotency-key'];
  sendAts.push(request.headers['x-send-at']);
  asked.push({ key: Array.isArray(key) ? key[0] : key, body: await text(request) });
  response.setHeader('content-type', 'application/json');
  const answer = answers.length > 1 ? answers.shift() : answers[0];
  answer?.(response, request);
});
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  asked.length = 0;
  sendAts.length = 0;
});

const RESULT = { id: 'msg_1', to: '4915228817386@c.us', type: 'text', status: 'sent' };
const sent: Answer = (response) =>
  response.setHeader('x-request-id', 'r').end(JSON.stringify({ success: true, data: RESULT }));
const broken: Answer = (response) => response.destroy();
const silent: Answer = () => {};
const gateway: Answer = (response) =>
  response.writeHead(504, { 'content-type': 'text/html' }).end('<h1>504</h1>');
const cut =
  (body: string): Answer =>
  (response) =>
    response.writeHead(200, { 'x-request-id': 'r', 'x-message-id': 'msg_1' }).end(body);
const refusal =
  (status: number, code: string, headers: Record<string, string> = {}): Answer =>
  (response) =>
    response
      .writeHead(status, { 'x-request-id': 'r', 'x-error-code': code, ...headers })
      .end(JSON.stringify({ success: false, error: `It is ${code}.` }));

function client(options: Partial<WirebirdOptions> = {}): Wirebird {
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return new Wirebird({ apiKey: 'wsk_test_x', baseUrl, ...options });
}

const BODY = { to: '4915228817386', body: 'Hello' };

test.each([
  ['a broken connection', broken],
  ['a gateway’s answer', gateway],
  ['a success without its body', cut('')],
  ['half a success', cut('{"success":true,"data":{"id":"msg')],
  ['429 with Retry-After', refusal(429, 'queue_full', { 'retry-after': '1' })],
  ['503 with Retry-After', refusal(503, 'unavailable', { 'retry-after': '1' })],
])('after %s the same request with the same key is made again', async (_name, answer) => {
  answers = [answer, answer, sent];
  expect(await client().messages.sendText(BODY)).toEqual({ ...RESULT, replayed: false });
  expect(asked).toHaveLength(3);
  const [one] = asked;
  expect(one?.key).toMatch(/^[\da-f-]{36}$/);
  expect(asked).toEqual([one, one, one]);
});

test('silence counts as lost after the time of one try', async () => {
  answers = [silent, sent];
  expect(await client({ attemptTimeoutMs: 200 }).messages.sendText(BODY)).toEqual({
    ...RESULT,
    replayed: false,
  });
  expect(new Set(asked.map(({ key }) => key)).size).toBe(1);
});

test('a result and an error say whether they are about the message of an earlier request', async () => {
  const replays: Answer = (response, request) => {
    response.setHeader('idempotency-replayed', 'true');
    sent(response, request);
  };
  answers = [broken, replays];
  expect(await client().messages.sendText(BODY)).toEqual({ ...RESULT, replayed: true });
  for (const [headers, replayed] of [
    [{ 'idempotency-replayed': 'true' }, true],
    [{}, false],
  ] as const) {
    answers = [refusal(502, 'send_unknown', { 'x-message-id': 'msg_1', ...headers })];
    await expect(client().messages.sendText(BODY)).rejects.toMatchObject({ messageId: 'msg_1', replayed });
  }
});

test('a body that changes during the call is sent as it was', async () => {
  const body = { ...BODY };
  answers = [
    (response) => {
      body.body = 'changed';
      response.destroy();
    },
    sent,
  ];
  await client().messages.sendText(body);
  expect(asked.map((request) => JSON.parse(request.body).body)).toEqual(['Hello', 'Hello']);
});

test('after Retry-After seconds, and not earlier, it is asked again', async () => {
  answers = [refusal(429, 'rate_limited', { 'retry-after': '1' }), sent];
  const from = performance.now();
  await client().messages.sendText(BODY);
  expect(performance.now() - from).toBeGreaterThanOrEqual(990);
});

test.each([
  ['send_unknown', 502],
  ['send_failed', 502],
  ['not_connected', 409],
  ['invalid_parameters', 400],
  ['internal', 500],
])('%s without Retry-After is not repeated', async (code, status) => {
  answers = [refusal(status, code), sent];
  await expect(client().messages.sendText(BODY)).rejects.toMatchObject({ code, status });
  expect(asked).toHaveLength(1);
});

test('after unknown the caller gets the key, with which a second call learns the outcome', async () => {
  answers = [refusal(502, 'send_unknown', { 'x-message-id': 'msg_1' }), sent];
  const error = await client()
    .messages.sendText(BODY)
    .catch((reason: unknown) => reason);
  if (!(error instanceof errors.send_unknown) || !error.idempotencyKey) throw error;
  expect(error).toMatchObject({ mayBeSent: true, messageId: 'msg_1' });
  await client().messages.sendText(BODY, { idempotencyKey: error.idempotencyKey });
  expect(asked[1]).toEqual(asked[0]);
});

test('tries are bounded, and the error says that the message may have been sent', async () => {
  answers = [broken];
  const call = client({ maxAttempts: 3 }).messages.sendText(BODY);
  await expect(call).rejects.toBeInstanceOf(errors.no_answer);
  await expect(call).rejects.toMatchObject({ mayBeSent: true, status: null });
  expect(asked).toHaveLength(3);
});

test('a pause that would lead past the time of the call is not waited for', async () => {
  const limited = { 'retry-after': '3600', 'x-limit': 'new-contacts', 'x-send-outcome': 'not_sent' };
  answers = [refusal(429, 'new_contacts', limited), sent];
  await expect(client().messages.sendText(BODY)).rejects.toMatchObject({
    code: 'new_contacts',
    mayBeSent: false,
    limit: 'new-contacts',
    retryAfterSeconds: 3600,
  });
  expect(asked).toHaveLength(1);
});

test('a refusal after a lost answer does not claim that nothing was sent', async () => {
  answers = [broken, refusal(401, 'unauthorized')];
  await expect(client().messages.sendText(BODY)).rejects.toMatchObject({
    code: 'unauthorized',
    mayBeSent: true,
  });
});

test.each([
  [401, 'unauthorized'],
  [402, 'plan_inactive'],
  [400, 'invalid_parameters'],
  [429, 'rate_limited'],
])('a refused send is not sent only if the answer says so: %s %s', async (status, code) => {
  const outcome = async (headers: Record<string, string>, options?: SendOptions) => {
    answers = [refusal(status, code, headers)];
    const call = client().messages.sendText(BODY, options);
    return ((await call.catch((reason: unknown) => reason)) as WirebirdError).mayBeSent;
  };
  const named = { idempotencyKey: 'order-1042' };
  expect(await outcome({ 'x-send-outcome': 'not_sent' }, named)).toBe(false);
  // A program that repeats after a crash: its earlier message may have been sent.
  expect(await outcome({}, named)).toBe(true);
  // No earlier call has used a key that this call made.
  expect(await outcome({})).toBe(false);
});

test('a signal ends the call at once, in a request and in a pause', async () => {
  for (const answer of [silent, refusal(429, 'queue_full', { 'retry-after': '60' })]) {
    asked.length = 0;
    answers = [answer];
    const abort = new AbortController();
    const call = client().messages.sendText(BODY, { signal: abort.signal });
    const outcome = call.catch((reason: unknown) => reason);
    await vi.waitFor(() => expect(asked).toHaveLength(1));
    abort.abort('enough');
    expect(await outcome).toBeInstanceOf(errors.aborted);
    expect(await outcome).toMatchObject({ mayBeSent: true, cause: 'enough' });
    expect(asked).toHaveLength(1);
  }
});

test('what cannot be repeated safely is not repeated after a lost answer', async () => {
  answers = [broken, sent];
  await expect(client().webhooks.create({ url: 'https://example.com' })).rejects.toBeInstanceOf(
    errors.no_answer,
  );
  expect(asked).toHaveLength(1);
});

test('a redirect is not followed, because it would turn a send into a read', async () => {
  answers = [(response) => response.writeHead(301, { location: '/v1/status' }).end(), sent];
  await expect(client().messages.sendText(BODY)).rejects.toBeInstanceOf(errors.unexpected_answer);
  expect(asked).toHaveLength(1);
});

test('a code of a newer server does not claim that nothing was sent', async () => {
  answers = [refusal(409, 'made_tomorrow')];
  const call = client().messages.sendText(BODY);
  await expect(call).rejects.toBeInstanceOf(WirebirdError);
  await expect(call).rejects.toMatchObject({ code: 'made_tomorrow', mayBeSent: true });
});

test('a request has no field `client`, which Deno takes for its own', async () => {
  const fields: string[] = [];
  class Recording extends Request {
    constructor(input: string, init: RequestInit) {
      super(input, init);
      fields.push(...Object.keys(init));
    }
  }
  vi.stubGlobal('Request', Recording);
  onTestFinished(() => void vi.unstubAllGlobals());
  answers = [sent];
  await client().messages.sendText(BODY);
  expect(fields).toContain('method');
  expect(fields).not.toContain('client');
});

test('an empty ID, as a dry run has, does not read the list instead', async () => {
  answers = [
    (response) =>
      response
        .setHeader('x-request-id', 'r')
        .end(JSON.stringify({ success: true, data: { messages: [], next: null } })),
  ];
  const { messages, webhooks } = client();
  for (const call of [messages.get(''), messages.wait(''), messages.cancel(''), webhooks.delete('')])
    await expect(call).rejects.toThrow('id is empty');
  expect(asked).toEqual([]);
});

test.each<[what: string, options: unknown, fields?: object]>([
  ['a key that is null', { idempotencyKey: null }],
  ['a key that is an object', { idempotencyKey: { order: 1042 } }],
  ['a misspelt option', { idempotencykey: 'order-1042' }],
  ['a misspelt mode', { mode: 'Async' }],
  ['a key among the fields', {}, { idempotencyKey: 'order-1042' }],
  ['a time among the fields', {}, { sendAt: '2031-05-01T12:00:00Z' }],
  ['a dry run among the fields', {}, { dryRun: true }],
])('%s sends nothing, where it would be ignored', async (_what, options, fields = {}) => {
  answers = [sent];
  const call = client().messages.sendText({ ...BODY, ...fields }, options as SendOptions);
  await expect(call).rejects.toBeInstanceOf(TypeError);
  expect(asked).toHaveLength(0);
});

test('an empty time does not send at once', async () => {
  answers = [refusal(400, 'invalid_parameters', { 'x-send-outcome': 'not_sent' })];
  const call = client().messages.sendText(BODY, { sendAt: '' });
  await expect(call).rejects.toBeInstanceOf(errors.invalid_parameters);
  expect(sendAts).toEqual(['']);
});

test('a missing key and a key that no header can have fail before anything is sent', async () => {
  expect(() => client({ apiKey: '' })).toThrow('apiKey is missing');
  expect(() => client({ apiKey: 'wsk\nx' })).toThrow(TypeError);
  await expect(client().messages.sendText(BODY, { idempotencyKey: 'a\nb' })).rejects.toThrow(TypeError);
  expect(asked).toHaveLength(0);
});

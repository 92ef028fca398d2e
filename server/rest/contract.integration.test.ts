import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { mintKey } from '#server/api-keys/mint-key.ts';
import { revokeApiKey } from '#server/api-keys/revoke-api-key.ts';
import { LIMITS } from '#server/core/limits.ts';
import { removeNumber } from '#server/numbers/unlink-number.ts';
import { deactivatePlan } from '#server/plans/activate-plan.ts';
import { CLI } from '#server/testing/domain.ts';
import { type Call, makeCaller, type RestWorld, startRest, type TestCaller } from '#server/testing/rest.ts';
import { ERROR_ANSWERS } from './openapi-answers.ts';

/** Every endpoint of the specification, with a valid request and an invalid one. */
const SENDS = [
  { path: '/messages/text', type: 'text', body: { body: 'Good morning' }, wrong: { body: '' } },
  {
    path: '/messages/image',
    type: 'image',
    body: { url: 'https://example.com/a.jpg', caption: 'A' },
    wrong: { url: 'ftp://example.com/a.jpg' },
  },
  {
    path: '/messages/document',
    type: 'document',
    body: { url: 'https://example.com/a.pdf', filename: 'a.pdf' },
    wrong: { filename: null },
  },
  {
    path: '/messages/location',
    type: 'location',
    body: { latitude: 53.55, longitude: 9.99 },
    wrong: { latitude: '53.55' },
  },
  {
    path: '/messages/contact',
    type: 'contact',
    body: { contactName: 'Jonas', contactPhone: '4915112345678' },
    wrong: { contactPhone: '+49 151 12345678' },
  },
  {
    path: '/messages/audio',
    type: 'audio',
    body: { url: 'https://example.com/a.mp3' },
    wrong: { url: 'not a url' },
  },
] as const;

const TO = '4915228817386';
const MESSAGE_ID = /^msg_[0-9a-z]{26}$/;

/** The places for a key, each as a call with the key in that place. */
const WAYS: { way: string; give: (key: string, body?: object) => Call }[] = [
  {
    way: 'Authorization: Bearer',
    give: (key, body) => ({ headers: { authorization: `Bearer ${key}` }, body }),
  },
  { way: 'x-api-key', give: (key, body) => ({ headers: { 'x-api-key': key }, body }) },
  { way: 'token in the body', give: (key, body) => ({ body: { ...body, token: key } }) },
];
const HEADER_WAYS = WAYS.filter(({ way }) => way !== 'token in the body');

let world: RestWorld;
let connected: TestCaller;
let unlinked: TestCaller;
let planless: TestCaller;
let removed: TestCaller;
let revoked: TestCaller;
let limited: TestCaller;
let full: TestCaller;

beforeAll(async () => {
  world = await startRest();
  const { database } = world;
  connected = await makeCaller(world);
  unlinked = await makeCaller(world, { linked: false });
  planless = await makeCaller(world);
  await deactivatePlan({ database, accountId: planless.accountId, actor: CLI });
  removed = await makeCaller(world);
  await removeNumber({ database, ...removed, actor: CLI }, removed);
  revoked = await makeCaller(world);
  await revokeApiKey({ database, ...revoked, actor: CLI }, revoked);
  limited = await makeCaller(world, { numbersIncluded: 1 });
  const { accountId } = limited;
  for (const policy of ['sends', 'reads']) {
    // As if requests of the last minute took them: more than the bucket refills while this test runs.
    await database.sql`insert into rate_buckets values (${`${policy}:${accountId}`}, -100, clock_timestamp())`;
  }
  full = await makeCaller(world);
  await database.sql`update leases set next_send_at = clock_timestamp() + interval '10 minutes'
    where number_id = ${full.numberId}`;
  await database.sql`update numbers set send_interval_seconds = 600 where id = ${full.numberId}`;
});
afterAll(() => world[Symbol.asyncDispose]());
// These tests use more wrong keys than one address may.
beforeEach(() => world.database.sql`delete from rate_buckets where key like 'bad-keys:%'`);

describe.each(SENDS)('POST $path', ({ path, type, body, wrong }) => {
  describe.each(WAYS)('with the key as $way', ({ give }) => {
    const right = { to: TO, ...body };

    test('a valid request is accepted', async () => {
      const call = give(connected.key, right);
      const answer = await world.call(path, {
        ...call,
        headers: { ...call.headers, prefer: 'respond-async' },
      });
      expect(answer.status).toBe(202);
      const data = { id: expect.stringMatching(MESSAGE_ID), to: `${TO}@c.us`, type, status: 'queued' };
      expect(answer.body).toEqual({ success: true, data });
      expect(answer.headers['x-message-id']).toBe((answer.body as { data: { id: string } }).data.id);
      expect(answer.headers['ratelimit-policy']).toBe('"sends";q=5000;w=100');
    });

    test('a group is a recipient', async () => {
      const to = '120363041234567890@g.us';
      const call = give(connected.key, { ...right, to });
      const answer = await world.call(path, {
        ...call,
        headers: { ...call.headers, prefer: 'respond-async' },
      });
      expect(answer.body).toEqual({
        success: true,
        data: { id: expect.stringMatching(MESSAGE_ID), to, type, status: 'queued' },
      });
    });

    test('a wrong parameter is 400 in a sentence that names the field', async () => {
      const answer = await world.call(path, give(connected.key, { ...right, ...wrong }));
      expect(answer.status).toBe(400);
      expect(answer.headers['x-send-outcome']).toBe('not_sent');
      const [field] = Object.keys(wrong);
      expect(answer.body).toEqual({ success: false, error: expect.stringMatching(`^${field} .*\\.$`) });
      expect(answer.headers['x-message-id']).toBeUndefined();
    });

    test('an unknown key is 401', async () => {
      const answer = await world.call(path, give(mintKey('sandbox').key, right));
      expect(answer.status).toBe(401);
      expect(answer.headers['x-send-outcome']).toBe('not_sent');
      expect(answer.body).toEqual({ success: false, error: expect.stringContaining('API key is not valid') });
    });

    test('a revoked key is 401', async () => {
      const answer = await world.call(path, give(revoked.key, right));
      expect(answer.status).toBe(401);
      expect(answer.headers['x-send-outcome']).toBe('not_sent');
      expect(answer.body).toEqual({ success: false, error: expect.stringContaining('revoked') });
    });

    test('an account without a plan is 402', async () => {
      const answer = await world.call(path, give(planless.key, right));
      expect(answer.status).toBe(402);
      expect(answer.headers['x-send-outcome']).toBe('not_sent');
      expect(answer.body).toEqual({
        success: false,
        error: expect.stringContaining('25 euros a month for each number'),
      });
    });

    test('a removed number is 404', async () => {
      const answer = await world.call(path, give(removed.key, right));
      expect(answer.status).toBe(404);
      expect(answer.headers['x-send-outcome']).toBe('not_sent');
      expect(answer.body).toEqual({ success: false, error: ERROR_ANSWERS[404].example });
    });

    test('a number that is not connected is 409, with its state', async () => {
      const answer = await world.call(path, give(unlinked.key, right));
      expect(answer.status).toBe(409);
      expect(answer.headers['x-send-outcome']).toBe('not_sent');
      expect(answer.body).toEqual({
        success: false,
        error: expect.stringContaining('not connected (UNLINKED)'),
      });
      expect(answer.headers['x-number-status']).toBe('UNLINKED');
      expect(answer.headers['retry-after']).toBeUndefined();
    });

    test('too many requests are 429 for the rate', async () => {
      const answer = await world.call(path, give(limited.key, right));
      expect(answer.status).toBe(429);
      expect(answer.headers['x-send-outcome']).toBe('not_sent');
      expect(answer.body).toEqual({ success: false, error: expect.stringContaining('Too many requests') });
      expect(answer.headers['x-limit']).toBe('rate');
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(60);
      // Until all are available again, which is later than the next one.
      const [, full] = /^"sends";r=0;t=(\d+)$/.exec(String(answer.headers.ratelimit)) ?? [];
      expect(Number(full)).toBeGreaterThan(Number(answer.headers['retry-after']));
      expect(answer.headers['ratelimit-policy']).toBe('"sends";q=100;w=100');
    });

    test('a slot that is too far away is 429 for the queue', async () => {
      const answer = await world.call(path, give(full.key, right));
      expect(answer.status).toBe(429);
      expect(answer.headers['x-send-outcome']).toBe('not_sent');
      expect(answer.headers['x-limit']).toBe('queue');
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(500);
    });

    test('a body over 256 KiB is 413, or 401 where the key is in it', async () => {
      const padding = 'x'.repeat(LIMITS.requestBytesMax);
      const answer = await world.call(path, give(connected.key, { ...right, padding }));
      const inBody = give(connected.key).headers === undefined;
      expect(answer.status).toBe(inBody ? 401 : 413);
      expect(answer.headers['x-send-outcome']).toBe('not_sent');
      expect(answer.body).toEqual({ success: false, error: ERROR_ANSWERS[inBody ? 401 : 413].example });
    });
  });

  test('a missing key is 401, and the answer says where to put one', async () => {
    const answer = await world.call(path, { body: { to: TO, ...body } });
    expect(answer.status).toBe(401);
    expect(answer.headers['x-send-outcome']).toBe('not_sent');
    expect(answer.body).toEqual({ success: false, error: ERROR_ANSWERS[401].example });
    expect(answer.headers['www-authenticate']).toBe('Bearer');
  });
});

describe.each([
  { path: '/status', what: 'GET /status' },
  { path: '/messages/msg_01kam2x8q0v3h7t5n9c4w6r1e2', what: 'GET /messages/{id}' },
])('$what', ({ path }) => {
  describe.each(HEADER_WAYS)('with the key as $way', ({ give }) => {
    test.each([
      { state: 'an unknown key', status: 401, key: () => mintKey('sandbox').key },
      { state: 'a revoked key', status: 401, key: () => revoked.key },
      { state: 'an account without a plan', status: 402, key: () => planless.key },
      { state: 'a removed number', status: 404, key: () => removed.key },
      { state: 'too many requests', status: 429, key: () => limited.key },
    ])('$state is $status', async ({ status, key }) => {
      const answer = await world.call(path, give(key()));
      expect(answer.status).toBe(status);
      expect(answer.body).toEqual({ success: false, error: expect.stringMatching(/\.$/) });
      expect(answer.headers['x-send-outcome']).toBeUndefined();
    });
  });

  test('a key in the URL or in a body is not read', async () => {
    const inUrl = await world.call(`${path}?token=${connected.key}&x-api-key=${connected.key}`);
    expect(inUrl.status).toBe(401);
    const inBody = await world.call(path, { method: 'GET', body: { token: connected.key } });
    expect(inBody.status).toBe(401);
  });
});

describe('GET /status', () => {
  test.each(HEADER_WAYS)(
    'returns the state of a connected number, with the key as $way',
    async ({ give }) => {
      const answer = await world.call('/status', give(connected.key));
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({
        success: true,
        data: {
          instance: connected.numberId,
          phoneNumber: expect.stringMatching(/^\d+$/),
          status: 'CONNECTED',
          connected: true,
        },
      });
      expect(answer.headers['ratelimit-policy']).toBe('"reads";q=6000;w=60');
    },
  );

  test('answers 200 for a number that was never linked', async () => {
    const answer = await world.call('/status', { key: unlinked.key });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      success: true,
      data: { instance: unlinked.numberId, phoneNumber: '', status: 'UNLINKED', connected: false },
    });
  });

  test('says RECONNECTING when the number’s lease was not renewed for 12 s', async () => {
    const silent = await makeCaller(world);
    await world.database.sql`update leases set renewed_at = clock_timestamp() - interval '12 seconds'
      where number_id = ${silent.numberId}`;
    const answer = await world.call('/status', { key: silent.key });
    expect(answer.body).toMatchObject({ data: { status: 'RECONNECTING', connected: false } });
    const send = await world.call('/messages/text', { key: silent.key, body: { to: TO, body: 'x' } });
    expect(send.status).toBe(409);
    expect(send.headers['x-number-status']).toBe('RECONNECTING');
    expect(send.headers['retry-after']).toBe('15');
  });

  test('HEAD answers like GET, without the body', async () => {
    const head = await world.call('/status', { method: 'HEAD', key: connected.key });
    expect(head.status).toBe(200);
    expect(head.body).toBeNull();
    const refused = await world.call('/status', { method: 'HEAD' });
    expect(refused.status).toBe(401);
  });
});

describe('GET /messages/{id}', () => {
  test('returns the outcome of a message of the key’s number only', async () => {
    const sent = await world.call('/messages/text', {
      key: connected.key,
      headers: { prefer: 'respond-async' },
      body: { to: TO, body: 'Hello' },
    });
    expect([sent.status, sent.body]).toEqual([202, expect.anything()]);
    const id = String(sent.headers['x-message-id']);
    const own = await world.call(`/messages/${id}`, { key: connected.key });
    expect(own.status).toBe(200);
    expect(own.body).toMatchObject({
      success: true,
      data: { id, to: `${TO}@c.us`, type: 'text', status: 'queued', error: null },
    });
    const foreign = await world.call(`/messages/${id}`, { key: unlinked.key });
    const missing = await world.call('/messages/msg_01kam2x8q0v3h7t5n9c4w6r1e2', { key: unlinked.key });
    expect(foreign.status).toBe(404);
    expect(foreign.body).toEqual(missing.body);
  });

  test.each([
    { what: 'a broken escape', id: '%zz' },
    { what: 'an escaped NUL', id: '%00' },
    { what: 'an escaped slash', id: 'a%2Fb' },
    { what: 'an emoji', id: '%F0%9F%98%80' },
    { what: 'a quote', id: "'" },
    { what: 'a way up', id: '..%2f' },
    { what: 'three thousand characters', id: 'x'.repeat(3000) },
  ])('an id with $what is a missing message', async ({ id }) => {
    const answer = await world.call(`/messages/${id}`, { key: connected.key });
    expect(answer.status).toBe(404);
    expect(answer.body).toEqual({
      success: false,
      error: expect.stringContaining('No message with this ID'),
    });
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { mintKey } from '#server/api-keys/mint-key.ts';
import { removeNumber } from '#server/numbers/unlink-number.ts';
import { deactivatePlan } from '#server/plans/activate-plan.ts';
import { CLI } from '#server/testing/domain.ts';
import { type Call, makeCaller, type RestWorld, startRest, type TestCaller } from '#server/testing/rest.ts';

let world: RestWorld;
let connected: TestCaller;
let other: TestCaller;
beforeAll(async () => {
  world = await startRest();
  connected = await makeCaller(world);
  other = await makeCaller(world);
});
afterAll(() => world[Symbol.asyncDispose]());
beforeEach(() => world.database.sql`delete from rate_buckets where key like 'bad-keys:%'`);

const RIGHT = { to: '4915228817386', body: 'Good morning' };
const send = (call: Call) => world.call('/messages/text', { method: 'POST', ...call });

describe('the order of checks', () => {
  /** A request in which everything is wrong, corrected step by step: each answer is the first thing wrong. */
  test('401, 429, 402, 404, 400, 409 follow one another', async () => {
    const { database } = world;
    const caller = await makeCaller(world, { numbersIncluded: 1 });
    const { accountId, numberId, key } = caller;
    await removeNumber({ database, ...caller, actor: CLI }, caller);
    await deactivatePlan({ database, accountId, actor: CLI });
    await database.sql`insert into rate_buckets values (${`sends:${accountId}`}, -100, clock_timestamp())`;
    const malformed = { headers: { 'content-type': 'text/plain' }, body: '{' };

    expect((await send({ ...malformed, key: `${key}x` })).status).toBe(401);
    expect((await send({ ...malformed, key })).status).toBe(429);
    await database.sql`delete from rate_buckets`;
    expect((await send({ ...malformed, key })).status).toBe(402);
    await database.sql`update subscriptions set ended_at = null where account_id = ${accountId}`;
    expect((await send({ ...malformed, key })).status).toBe(404);
    await database.sql`update numbers set removed_at = null, status = 'LOGGED_OUT' where id = ${numberId}`;
    expect((await send({ ...malformed, key })).status).toBe(400);
    expect((await send({ key, body: { ...RIGHT, body: '' } })).status).toBe(400);
    expect((await send({ key, body: RIGHT, headers: { 'idempotency-key': 'ä' } })).status).toBe(400);
    const last = await send({ key, body: RIGHT });
    expect(last.status).toBe(409);
    expect(last.headers['x-number-status']).toBe('LOGGED_OUT');
  });

  test('a repeat is answered from its message even if the number is no longer connected', async () => {
    const { key, numberId } = await makeCaller(world);
    const headers = { 'idempotency-key': 'order-1', prefer: 'respond-async' };
    const first = await send({ key, body: RIGHT, headers });
    await world.database.sql`update numbers set status = 'LOGGED_OUT' where id = ${numberId}`;
    const repeat = await send({ key, body: RIGHT, headers });
    expect(repeat.status).toBe(202);
    expect(repeat.body).toEqual(first.body);
    const another = await send({ key, body: { ...RIGHT, body: 'Another' }, headers });
    expect(another.status).toBe(400);
    expect(another.body).toEqual({ success: false, error: expect.stringContaining('Idempotency-Key') });
    expect((await send({ key, body: RIGHT })).status).toBe(409);
  });

  test('402 applies to reads as well, and comes before the number’s 404', async () => {
    const caller = await makeCaller(world);
    await removeNumber({ database: world.database, ...caller, actor: CLI }, caller);
    expect((await world.call('/status', { key: caller.key })).status).toBe(404);
    await deactivatePlan({ database: world.database, ...caller, actor: CLI });
    expect((await world.call('/status', { key: caller.key })).status).toBe(402);
  });
});

describe('a key given in several ways', () => {
  test.each([
    { ways: 'all three', headers: ['bearer', 'x-api-key'], token: true },
    { ways: 'both headers', headers: ['bearer', 'x-api-key'], token: false },
    { ways: 'a header and the body', headers: ['x-api-key'], token: true },
  ])('is accepted when all are equal: $ways', async ({ headers, token }) => {
    const answer = await send({
      headers: {
        prefer: 'respond-async',
        ...(headers.includes('bearer') ? { authorization: `Bearer ${connected.key}` } : {}),
        ...(headers.includes('x-api-key') ? { 'x-api-key': connected.key } : {}),
      },
      body: token ? { ...RIGHT, token: connected.key } : RIGHT,
    });
    expect(answer.status).toBe(202);
  });

  test.each([
    { ways: 'the two headers', call: (a: string, b: string) => ({ key: a, headers: { 'x-api-key': b } }) },
    { ways: 'header and body', call: (a: string, b: string) => ({ key: a, body: { ...RIGHT, token: b } }) },
    { ways: 'one header twice', call: (a: string, b: string) => ({ headers: { 'x-api-key': [a, b] } }) },
    {
      ways: 'one header, listed',
      call: (a: string, b: string) => ({ headers: { 'x-api-key': `${a}, ${b}` } }),
    },
  ])('is 401 when they differ, even if each is valid: $ways', async ({ call }) => {
    const answer = await send({ body: RIGHT, ...call(connected.key, other.key) });
    expect(answer.status).toBe(401);
    expect(answer.body).toEqual({ success: false, error: expect.stringContaining('Two different API keys') });
  });

  test('an Authorization of another scheme is ignored', async () => {
    const headers = { authorization: 'Basic dXNlcjpwYXNz', 'x-api-key': connected.key };
    expect((await world.call('/status', { headers })).status).toBe(200);
    expect((await world.call('/status', { headers: { authorization: headers.authorization } })).status).toBe(
      401,
    );
  });

  test.each(['bearer', 'BEARER', 'Bearer  '])('the scheme %s is read in any case', async (scheme) => {
    const headers = { authorization: `${scheme} ${connected.key}` };
    expect((await world.call('/status', { headers })).status).toBe(200);
  });

  test.each([
    { what: 'empty', headers: { authorization: 'Bearer ', 'x-api-key': '' }, token: '' },
    { what: 'only white space', headers: { 'x-api-key': '  ' }, token: '  ' },
    { what: 'no text', headers: {}, token: 5 },
    { what: 'null', headers: {}, token: null },
  ] as { what: string; headers: Record<string, string>; token: unknown }[])(
    'a key that is $what is a missing one',
    async ({ headers, token }) => {
      const answer = await send({ headers, body: { ...RIGHT, token } });
      expect(answer.status).toBe(401);
      expect(answer.body).toEqual({ success: false, error: expect.stringContaining('No API key was given') });
    },
  );

  test('a token of another type beside a valid header is a wrong parameter', async () => {
    const answer = await send({ key: connected.key, body: { ...RIGHT, token: 5 } });
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({
      success: false,
      error: 'token must be a string, not a number. Put it in quotes.',
    });
  });
});

describe('wrong keys', () => {
  test('become 429 after 20 in a minute from one address, without affecting valid callers there', async () => {
    const statuses: number[] = [];
    for (let i = 0; i < 22; i++) {
      // Mistyped, unknown and well-formed ones count alike.
      const key = i % 2 ? mintKey('sandbox').key : `wsk_test_${i}`;
      statuses.push((await world.call('/status', { key })).status);
    }
    expect(statuses.slice(0, 20)).toEqual(Array(20).fill(401));
    expect(statuses.slice(20)).toEqual([429, 429]);
    const refused = await world.call('/status', { key: 'wrong' });
    expect(refused.headers['x-limit']).toBe('rate');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await world.call('/status', { key: connected.key })).status).toBe(200);
  });

  test('beyond the limit are not stored: a flood costs the database reads only', async () => {
    const bucket = () =>
      world.database.sql`select xmin::text, xmax::text, tokens from rate_buckets where key like 'bad-keys:%'`;
    const wrong = () => world.call('/status', { key: 'wrong' });
    for (let i = 0; i < 20; i++) expect((await wrong()).status).toBe(401);
    await world.database.sql`
      update rate_buckets set tokens = -20, updated_at = clock_timestamp() where key like 'bad-keys:%'`;
    const before = await bucket();
    for (let i = 0; i < 3; i++) expect((await wrong()).status).toBe(429);
    expect(await bucket()).toEqual(before);
  });

  test('missing keys do not count', async () => {
    for (let i = 0; i < 25; i++) expect((await world.call('/status')).status).toBe(401);
    expect((await world.call('/status', { key: 'wrong' })).status).toBe(401);
  });

  test('are counted by the connection’s address, whatever X-Forwarded-For says', async () => {
    for (let i = 0; i < 22; i++) {
      await world.call('/status', { key: 'wrong', headers: { 'x-forwarded-for': `198.51.100.${i}` } });
    }
    const rows = await world.database.sql`select key from rate_buckets where key like 'bad-keys:%'`;
    expect(rows.map(({ key }) => key)).toEqual(['bad-keys:127.0.0.1']);
  });
});

describe('the account’s rate limit', () => {
  test('is 100 sends over all keys of the account, and its headers show the rest', async () => {
    const caller = await makeCaller(world, { numbersIncluded: 1 });
    const wrong = { ...RIGHT, body: '' };
    const first = await send({ key: caller.key, body: wrong });
    expect(first.headers.ratelimit).toBe('"sends";r=99;t=1');
    expect(first.headers['ratelimit-policy']).toBe('"sends";q=100;w=100');
    await world.database.sql`
      update rate_buckets set tokens = -100, updated_at = clock_timestamp() where key = ${`sends:${caller.accountId}`}`;
    const refused = await send({ key: caller.key, body: wrong });
    expect(refused.status).toBe(429);
    expect(refused.headers['x-limit']).toBe('rate');
    // Reads have a separate bucket.
    expect((await world.call('/status', { key: caller.key })).status).toBe(200);
  });
});

describe('plain HTTP', () => {
  test('from this machine is served', async () => {
    expect((await world.call('/status', { key: connected.key })).status).toBe(200);
  });

  test('ignores X-Forwarded-Proto where no proxy is trusted', async () => {
    const headers = { 'x-forwarded-proto': 'http', 'x-forwarded-for': '198.51.100.7' };
    expect((await world.call('/status', { key: connected.key, headers })).status).toBe(200);
  });
});

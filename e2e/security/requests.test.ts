import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { handleDashboardRequest } from '#server/dashboard/handle.ts';
import { verifyPassword } from '#server/people/verify-password.ts';
import { makeAccount, PASSWORD } from '#server/testing/domain.ts';
import {
  makeCaller,
  type RestWorld,
  startRest,
  type TestCaller,
  testDocument,
} from '#server/testing/rest.ts';
import { PROCEDURES } from './tenancy/cells.ts';

/** `call` holds every answer against the document: the envelope, its statuses and its headers. */
let world: RestWorld;
let caller: TestCaller;
beforeAll(async () => {
  world = await startRest();
  caller = await makeCaller(world, { numbersIncluded: 10_000 });
});
afterAll(() => world[Symbol.asyncDispose]());

const LONG = inject('attacks') === 'long';
const REQUESTS = LONG ? 100_000 : 1_500;
const AT_ONCE = 8;

interface Operation {
  method: string;
  path: string;
  /** The fields of its body, and an example of it. */
  fields: string[];
  example: Record<string, unknown>;
}

/** Every operation of the document that is served to customers. */
const OPERATIONS: Operation[] = Object.entries(testDocument.paths ?? {}).flatMap(([path, item]) =>
  Object.entries(item as Record<string, unknown>).map(([method, operation]) => {
    const body = (
      operation as { requestBody?: { content?: Record<string, { schema?: unknown; example?: unknown }> } }
    ).requestBody?.content?.['application/json'];
    const schema = (body?.schema ?? {}) as { properties?: Record<string, unknown> };
    return {
      method: method.toUpperCase(),
      path,
      fields: Object.keys(schema.properties ?? {}),
      example: (body?.example ?? {}) as Record<string, unknown>,
    };
  }),
);

const odd = fc.oneof(
  fc.constantFrom(
    '4915228817386',
    '120363041234567890@g.us',
    'https://example.com/a',
    '\u0000',
    '\ud800',
    '‮',
    1e308,
    -0,
  ),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.jsonValue({ maxDepth: 2 }),
);
const header = fc.stringMatching(/^[\x20-\x7e]{0,60}$/);
const request = fc.constantFrom(...OPERATIONS).chain((operation) =>
  fc.record({
    operation: fc.constant(operation),
    method: fc.oneof(
      { weight: 9, arbitrary: fc.constant(operation.method) },
      { weight: 1, arbitrary: fc.constantFrom('GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS') },
    ),
    path: fc.oneof(
      {
        weight: 9,
        arbitrary: fc.constant(operation.path.replace(/\{\w+\}/, 'msg_00000000000000000000000000')),
      },
      { weight: 1, arbitrary: fc.stringMatching(/^\/[\x21-\x7e]{0,30}$/) },
    ),
    body: fc.oneof(
      // A body with one odd field may pass the first check; a body with many does not.
      fc
        .constantFrom(1, 8)
        .chain((maxKeys) =>
          fc
            .dictionary(fc.constantFrom('to', '__proto__', 'token', ...operation.fields), odd, { maxKeys })
            .map((given) => JSON.stringify({ ...operation.example, ...given })),
        ),
      fc.uint8Array({ maxLength: 80 }).map((bytes) => Buffer.from(bytes)),
    ),
    headers: fc.record(
      {
        'idempotency-key': header,
        'x-expires-in': fc.oneof(
          fc.constantFrom('60', '86400'),
          fc.constantFrom('0', '-1', '86401', '1e3', '9'.repeat(30)),
          header,
        ),
        accept: header,
        prefer: fc.constantFrom('respond-async', 'wait=0', 'respond-async, wait=1', 'return=minimal, wait=0'),
        'content-type': fc.oneof(
          { weight: 4, arbitrary: fc.constantFrom('application/json', 'application/json; charset=utf-8') },
          { weight: 1, arbitrary: fc.constantFrom('text/plain', 'application/x-www-form-urlencoded') },
        ),
      },
      { requiredKeys: [] },
    ),
    withKey: fc.integer({ min: 0, max: 9 }),
  }),
);

test(
  `of ${REQUESTS} requests generated from the document, none causes a server error, leaves the envelope or shows a stack`,
  async () => {
    const statuses = new Map<number, number>();
    const began = performance.now();
    const made = fc.sample(request, { numRuns: Math.min(REQUESTS, 5_000), seed: inject('seed') });
    for (let round = 0; round * made.length < REQUESTS; round++) {
      const batch =
        round === 0 ? made : fc.sample(request, { numRuns: made.length, seed: inject('seed') + round });
      // A new number each round, because the queue of the last one may be full.
      const { key } = round === 0 ? caller : await makeCaller(world, { numbersIncluded: 10_000 });
      const queue = batch.slice(0, REQUESTS - round * made.length);
      await Promise.all(
        Array.from({ length: AT_ONCE }, async () => {
          for (let next = queue.pop(); next; next = queue.pop()) {
            const { method, path, body, headers, withKey } = next;
            const answer = await world.call(path, {
              method,
              ...(withKey > 0 ? { key } : {}),
              headers: { prefer: 'respond-async', ...headers },
              ...(method === 'GET' ? {} : { body }),
            });
            statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
            expect(answer.status, `${method} ${path}`).toBeLessThan(500);
            expect(answer.body === null || 'success' in (answer.body as object)).toBe(true);
            expect(JSON.stringify(answer.body)).not.toMatch(/\bat \S+ \(|node_modules|\.ts:\d+/);
          }
        }),
      );
      if (LONG) console.info(`${(round + 1) * made.length} requests, ${seconds(began)} s`);
    }
    console.info('requests by status', Object.fromEntries(statuses));
    for (const status of [202, 400, 401]) expect(statuses.get(status), String(status)).toBeGreaterThan(0);
  },
  LONG ? 3_600_000 : 120_000,
);

const seconds = (since: number) => Math.round((performance.now() - since) / 1000);

describe('a change requested by another site', () => {
  const mutations = PROCEDURES.filter(({ type }) => type === 'mutation').map(({ path }) => path);
  const from = (path: string, headers: Record<string, string>, body: string) =>
    handleDashboardRequest(
      new Request(`http://localhost:3000/api/trpc/${path}`, {
        method: 'POST',
        headers: { host: 'localhost:3000', ...headers },
        body,
      }),
    );
  const JSON_TYPE = { 'content-type': 'application/json' };

  test.each(mutations)('%s is refused, by its origin and by its form', async (path) => {
    for (const origin of ['https://evil.example', 'null', 'http://localhost:3000.evil.example'])
      expect((await from(path, { ...JSON_TYPE, origin }, '{}')).status, origin).toBe(403);
    for (const site of ['cross-site', 'same-site', 'none'])
      expect((await from(path, { ...JSON_TYPE, 'sec-fetch-site': site }, '{}')).status, site).toBe(403);
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'text/plain; application/json',
    ])
      expect((await from(path, { 'content-type': type }, '{}')).status, type).toBe(415);
  });

  test('covers every mutation', () => {
    expect(mutations.length).toBeGreaterThan(25);
  });
});

test('of hundreds of simultaneous guesses at a password, ten are checked', async () => {
  const { email } = await makeAccount(world.database, 0);
  const guesses = Array.from({ length: LONG ? 2_000 : 200 }, (_, i) =>
    verifyPassword(world, { email, password: `guess ${i} of many`, address: '192.0.2.66' }).then(
      (found) => (found === null ? 'wrong' : 'found'),
      (error: { code?: string }) => error.code ?? 'failed',
    ),
  );
  const outcomes = await Promise.all(guesses);
  expect(outcomes.filter((outcome) => outcome === 'wrong').length).toBeLessThanOrEqual(12);
  expect(new Set(outcomes)).toEqual(new Set(['wrong', 'rate_limited']));
  // Nobody is locked out: from elsewhere the password still works.
  expect(await verifyPassword(world, { email, password: PASSWORD, address: '192.0.2.67' })).not.toBeNull();
});

test('of thousands of guesses at a key none succeeds, and after twenty none is checked', async () => {
  await world.database.sql`delete from rate_buckets where key like 'bad-keys:%'`;
  const guesses = Array.from(
    { length: LONG ? 5_000 : 300 },
    (_, i) => `${caller.key.slice(0, -4)}${String(i).padStart(4, '0')}`,
  ).filter((guess) => guess !== caller.key);
  const statuses: number[] = [];
  const began = performance.now();
  // As many connections as a system accepts at once: with more, the system would refuse some, not the product.
  await Promise.all(
    Array.from({ length: 200 }, async () => {
      for (let guess = guesses.pop(); guess; guess = guesses.pop())
        statuses.push((await world.call('/status', { key: guess })).status);
    }),
  );
  expect(new Set(statuses)).toEqual(new Set([401, 429]));
  // Twenty a minute, and one more every three seconds, with some to spare.
  const lookedAt = statuses.filter((status) => status === 401).length;
  expect(lookedAt).toBeLessThanOrEqual(30 + seconds(began) / 3);
  expect((await world.call('/status', { key: caller.key })).status).toBe(200);
});

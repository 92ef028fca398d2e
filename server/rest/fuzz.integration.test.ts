import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MESSAGE_TYPES } from '#server/core/message.ts';
import { makeCaller, type RestWorld, startRest, type TestCaller } from '#server/testing/rest.ts';

/** `call` checks every answer against the document, so that anything outside the envelope fails here too. */
let world: RestWorld;
let caller: TestCaller;
beforeAll(async () => {
  world = await startRest();
  caller = await makeCaller(world, { numbersIncluded: 1000 });
});
afterAll(() => world[Symbol.asyncDispose]());

const FIELDS = [
  ...['to', 'body', 'url', 'caption', 'filename', 'latitude', 'longitude', 'name', 'address'],
  ...['contactName', 'contactPhone', 'token', '__proto__', 'constructor', 'toString', ''],
];
const value = fc.oneof(
  fc.constantFrom('4915228817386', '120363041234567890@g.us', 'https://example.com/a', 53.5, -0, 'a.pdf'),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.jsonValue({ maxDepth: 2 }),
);

test('no body causes an internal error', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...MESSAGE_TYPES),
      fc.array(fc.tuple(fc.constantFrom(...FIELDS), value), { maxLength: 8 }),
      async (kind, fields) => {
        const body = `{${fields.map(([name, given]) => `${JSON.stringify(name)}:${JSON.stringify(given)}`).join()}}`;
        const answer = await world.call(`/messages/${kind}`, {
          key: caller.key,
          headers: { prefer: 'respond-async' },
          body,
        });
        expect([202, 400, 401, 429]).toContain(answer.status);
      },
    ),
    { numRuns: 400 },
  );
});

test('no bytes, headers or path cause one either', async () => {
  const printable = fc.stringMatching(/^[\x20-\x7e]{0,40}$/);
  await fc.assert(
    fc.asyncProperty(
      fc.stringMatching(/^\/[\x21-\x7e]{0,30}$/),
      fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'),
      fc.uint8Array({ maxLength: 60 }),
      fc.record({
        'idempotency-key': printable,
        prefer: printable,
        'x-expires-in': printable,
        accept: printable,
      }),
      async (path, method, bytes, headers) => {
        const call = { method, headers, key: caller.key, body: Buffer.from(bytes) };
        for (const target of [path, '/messages/text', '/status']) {
          const answer = await world.call(target, call);
          expect([200, 400, 404]).toContain(answer.status);
        }
      },
    ),
    { numRuns: 100 },
  );
});

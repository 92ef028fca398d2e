import { generateOpenApiDocument } from 'trpc-openapi';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { identifyCaller } from '#server/api-keys/caller.ts';
import type { AppError } from '#server/core/errors.ts';
import { log } from '#server/platform/log.ts';
import {
  makeCaller,
  type RestWorld,
  startRest,
  type TestCaller,
  testDocument,
} from '#server/testing/rest.ts';
import { callProcedure } from './adapter.ts';
import type { RestContext } from './context.ts';
import { restRouter } from './router.ts';

/** What trpc-openapi does on its own and this API must not: one test each. */
let world: RestWorld;
let caller: TestCaller;
beforeAll(async () => {
  world = await startRest();
  caller = await makeCaller(world);
});
afterAll(() => world[Symbol.asyncDispose]());

const POINT = { to: '4915228817386', latitude: 53.55, longitude: 9.99 };

describe('trpc-openapi’s traps', () => {
  test('numbers are not coerced, even after many requests', async () => {
    for (let round = 0; round < 3; round++) {
      for (const latitude of [null, '', true, [], '41', '41.5', [41]]) {
        const answer = await world.call('/messages/location', {
          key: caller.key,
          body: { ...POINT, latitude },
        });
        expect(answer.status).toBe(400);
      }
    }
  });

  test('an error has our two fields, not its own shape', async () => {
    for (const call of [{}, { key: caller.key, body: {} }]) {
      const answer = await world.call('/messages/text', { method: 'POST', ...call });
      expect(Object.keys(answer.body as object).sort()).toEqual(['error', 'success']);
    }
  });

  test('an internal error is not shown', async () => {
    const { sql } = world.database;
    await sql`create function leak() returns trigger language plpgsql as
      $$ begin raise exception 'a secret of the house'; end $$`;
    await sql`create trigger leak before insert on messages for each row execute function leak()`;
    log.level = 'silent';
    try {
      const answer = await world.call('/messages/location', { key: caller.key, body: POINT });
      expect(answer.status).toBe(500);
      expect(JSON.stringify(answer)).not.toContain('secret');
    } finally {
      await sql`drop trigger leak on messages`;
    }
  });

  test('malformed JSON without a key is 401', async () => {
    expect((await world.call('/messages/text', { body: '{' })).status).toBe(401);
  });

  test('a missing content type is 400, not 415', async () => {
    const answer = await world.call('/messages/text', {
      key: caller.key,
      headers: { 'content-type': '' },
      body: POINT,
    });
    expect(answer.status).toBe(400);
  });

  test('HEAD is authorised and answered like GET', async () => {
    expect((await world.call('/status', { method: 'HEAD' })).status).toBe(401);
    expect((await world.call('/status', { method: 'HEAD', key: caller.key })).status).toBe(200);
    expect((await world.call('/nothing', { method: 'HEAD', key: caller.key })).status).toBe(404);
  });

  test('a zod error becomes one sentence about the first problem', async () => {
    const answer = await world.call('/messages/location', { key: caller.key, body: {} });
    expect(answer.body).toEqual({
      success: false,
      error: expect.stringMatching(/^to is missing\. Send .*\.$/),
    });
  });

  test('paths are case-sensitive, and a path parameter matches no other endpoint', async () => {
    expect((await world.call('/STATUS', { key: caller.key })).status).toBe(404);
    const text = await world.call('/messages/text', { key: caller.key });
    expect(text.body).toEqual({
      success: false,
      error: 'This path accepts only POST. See /docs for the list of endpoints.',
    });
  });

  test('the query string is never read as input', async () => {
    const answer = await world.call('/messages/msg_x?id=msg_y&to=1', { key: caller.key });
    expect(answer.status).toBe(404);
    expect((await world.call('/status?instance=num_other', { key: caller.key })).body).toMatchObject({
      data: { instance: caller.numberId },
    });
  });

  test('a base path inside the host name or target is not removed', async () => {
    const answer = await world.raw(
      `GET http://v1/v1/v1.example/v1/status HTTP/1.1\r\nHost: v1\r\nConnection: close\r\nx-api-key: ${caller.key}\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 404 /);
  });

  test('an answer that violates its own schema is an internal error, not a wrong parameter', async () => {
    const context = await contextOf(caller);
    // A state that no number has: the output's schema refuses it.
    Object.assign(context.caller.number ?? {}, { status: 'MELTED' });
    await callProcedure({ method: 'GET', path: '/status', body: {}, context });
    expect((context.answer.failure as AppError).code).toBe('INTERNAL_SERVER_ERROR');
  });

  test('simultaneous calls keep their own callers', async () => {
    const others: TestCaller[] = [];
    for (let i = 0; i < 8; i++) others.push(await makeCaller(world));
    const answers = await Promise.all(
      [...others, ...others, ...others].map(({ key }) => world.call('/status', { key })),
    );
    const seen = answers.map(({ body }) => (body as { data: { instance: string } }).data.instance);
    expect(seen).toEqual([...others, ...others, ...others].map(({ numberId }) => numberId));
  });

  test('the document has both header schemes, and not its own error shape', () => {
    const json = JSON.stringify(testDocument);
    expect(json).not.toContain('issues');
    expect(json).not.toContain('error.BAD_REQUEST');
    expect(Object.keys(testDocument.components?.securitySchemes ?? {})).toEqual(['bearer', 'apiKey']);
    // On its own it would have put it there: the test would notice if that changed.
    const bare = generateOpenApiDocument(restRouter, { title: 'x', version: '1', baseUrl: 'http://x' });
    expect(Object.keys(bare.components?.schemas ?? {})).not.toContain('Error');
  });
});

async function contextOf({ key }: TestCaller): Promise<RestContext> {
  return {
    database: world.database,
    caller: await identifyCaller(world, key),
    request: {
      method: 'GET',
      target: '/v1/status',
      headers: {},
      peerAddress: '127.0.0.1',
      encrypted: false,
      read: async () => new Uint8Array(),
      signal: () => new AbortController().signal,
    },
    requestId: 'test',
    arrivedAtMs: performance.now(),
    bodyProblem: null,
    answer: { headers: {}, queued: false, messageId: null, failure: null },
  };
}

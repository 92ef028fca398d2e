import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { eraseExpired } from '#server/operations/erase-expired.ts';
import { metrics } from '#server/platform/metrics/metrics.ts';
import { makeCaller, type RestWorld, startRest } from '#server/testing/rest.ts';
import { reserve } from '#server/testing/sql.ts';
import { RequestLog, startRequestLog } from './request-log.ts';

let world: RestWorld;
let stop = async () => {};
beforeAll(async () => {
  world = await startRest();
});
afterEach(() => stop());
afterAll(() => world[Symbol.asyncDispose]());

const rows = () => world.database.sql<Record<string, unknown>[]>`select * from requests order by id`;
const dropped = async () => (await metrics().requestsDropped.get()).values[0]?.value ?? 0;
const start = async () => {
  await world.database.sql`delete from requests`;
  stop = startRequestLog({ database: world.database });
};

test('a refused request is stored with its code and answer, and without its text', async () => {
  await start();
  const { key } = await makeCaller(world);
  const body = { to: 'nobody', body: 'Very private words' };
  const answer = await world.call('/messages/text', { method: 'POST', key, body });
  await stop();
  const [row] = await rows();
  expect(row).toMatchObject({
    endpoint: 'POST /messages/text',
    status: answer.status,
    error_code: 'invalid_parameters',
    answer: JSON.stringify(answer.body),
  });
  expect(JSON.stringify(row)).not.toContain('private');
});

test('a dry run is stored with the message that its real request would repeat', async () => {
  await start();
  const { key } = await makeCaller(world);
  const send = (headers: Record<string, string>) =>
    world.call('/messages/text', {
      key,
      headers: { 'idempotency-key': 'k', prefer: 'respond-async', ...headers },
      body: { to: '4915228817386', body: 'Hello' },
    });
  const first = (await send({})).headers['x-message-id'];
  await send({ 'x-dry-run': 'true' });
  await stop();
  expect((await rows()).map((row) => row.message_id)).toEqual([first, first]);
});

test('a request without a valid key is not stored', async () => {
  await start();
  expect((await world.call('/messages', { key: 'wrong' })).status).toBe(401);
  await stop();
  expect(await rows()).toHaveLength(0);
});

test('while the table is locked, requests are answered, and those beyond 5,000 are dropped and counted', async () => {
  await start();
  const { key } = await makeCaller(world);
  const held = await reserve(world.database.pool);
  await held.unsafe('begin');
  await held.unsafe('lock table requests in access exclusive mode');
  const { status } = await world.call('/messages', { key });
  expect(status).toBe(200);
  const before = await dropped();
  const log = new RequestLog(world.database);
  const one = {
    ...{ accountId: 'acc_none', numberId: null, keyId: null, at: new Date(), endpoint: 'GET /messages' },
    ...{ status: 200, errorCode: null, requestId: 'r', durationMs: 1, messageId: null, reference: null },
    ...{ body: null, answer: null },
  };
  for (let n = 0; n < 5_003; n++) log.add(one);
  expect((await dropped()) - before).toBe(3);
  await held.unsafe('rollback');
  held.release();
  await log.stop();
  await stop();
  expect(await rows()).toHaveLength(1);
});

test('a request is stored wherever its long body is cut, with those that are written beside it', async () => {
  await start();
  const { key } = await makeCaller(world);
  const birds = Array.from({ length: 50 }, (_, at) => [`${at}${'\u{1f426}'.repeat(30)}`, 'x']);
  for (const pad of ['', 'x'])
    await world.call('/messages/text', {
      method: 'POST',
      key,
      body: Object.fromEntries([[`${pad}-`, 'x'], ...birds]),
    });
  await stop();
  expect(await rows()).toHaveLength(2);
});

test.each(['Größe 9', '🦉'.repeat(128)])(
  'the reference %s is stored as its message has it, from the header and from the body',
  async (reference) => {
    await start();
    const { key } = await makeCaller(world);
    const bytes = Buffer.from(reference).toString('latin1');
    const body = { to: 'nobody', body: 'Hello' };
    // As bytes: with a text, Node would write the header in the encoding of the body.
    const inHeader = { body: Buffer.from(JSON.stringify(body)), headers: { 'x-reference': bytes } };
    for (const request of [inHeader, { body: { ...body, reference } }])
      await world.call('/messages/text', { method: 'POST', key, ...request });
    await stop();
    expect((await rows()).map((row) => row.reference)).toEqual([reference, reference]);
  },
);

test('requests are deleted after 7 days, or earlier with the messages of their account', async () => {
  await start();
  const { key } = await makeCaller(world);
  await world.call('/messages', { key });
  await world.call('/messages', { key });
  await stop();
  await world.database.sql`
    update requests set at = now() - interval '8 days' where id = (select min(id) from requests)`;
  expect((await eraseExpired({ database: world.database })).requests).toBe(1);
  expect(await rows()).toHaveLength(1);
  await world.database.sql`update accounts set metadata_retention_days = 0`;
  expect((await eraseExpired({ database: world.database })).requests).toBe(1);
});

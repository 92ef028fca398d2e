import { afterAll, beforeAll, expect, test } from 'vitest';
import { MESSAGE_TYPES } from '#server/core/message.ts';
import { writeLimits } from '#server/numbers/queries/number-health.ts';
import { makeCaller, type RestWorld, startRest, type TestCaller } from '#server/testing/rest.ts';

const STRANGER = '4915228817386';
let world: RestWorld;
let caller: TestCaller;
beforeAll(async () => {
  world = await startRest();
  caller = await makeCaller(world);
});
afterAll(() => world[Symbol.asyncDispose]());

const number = () => world.call('/number', { key: caller.key });
async function limit(until: number | null): Promise<void> {
  const [lease] = await world.database.sql<{ workerId: string; fence: number }[]>`
    select worker_id as "workerId", fence from leases where number_id = ${caller.numberId}`;
  if (!lease) throw new Error('no lease');
  const limits = {
    timelock: until === null ? null : { kind: 'DEFAULT', until },
    cap: {
      status: 'FIRST_WARNING',
      total: 100,
      used: 80,
      until: Date.parse('2099-01-01T00:00:00Z'),
    } as const,
    checkpoint: null,
  };
  await writeLimits(world.database, { numberId: caller.numberId, ...lease }, limits);
}

test('GET /number returns the number’s health, and /status keeps its four fields', async () => {
  expect((await number()).body).toEqual({
    success: true,
    data: {
      instance: caller.numberId,
      phoneNumber: expect.stringMatching(/^\d+$/),
      status: 'CONNECTED',
      connected: true,
      blockedUntil: null,
      statusReason: null,
      linkedAt: expect.stringMatching(/^20\d\d-.*Z$/),
      health: { level: 'good', sentence: expect.any(String), todo: null },
      newContacts: { allowed: true, limit: null, nextAt: null, budget: null, used: 0 },
      timelock: null,
      cap: null,
      checkpoint: null,
      protected: false,
      lately: { messages: 0, notTaken: 0, people: 0, newPeople: 0 },
      kinds: Object.fromEntries(MESSAGE_TYPES.map((type) => [type, 'unproven'])),
    },
  });
  const status = await world.call('/status', { key: caller.key });
  expect(Object.keys((status.body as { data: object }).data)).toEqual([
    'instance',
    'phoneNumber',
    'status',
    'connected',
  ]);
});

test('a restricted number says so, and answers 429 with its end for new people, without creating a message', async () => {
  const until = Date.now() + 7_200_000;
  await limit(until);
  expect((await number()).body).toMatchObject({
    data: {
      health: { level: 'limited', todo: expect.any(String) },
      newContacts: { allowed: false, limit: 'timelock', nextAt: expect.stringMatching(/Z$/) },
      timelock: { kind: 'DEFAULT', until: new Date(until).toISOString() },
      cap: { status: 'FIRST_WARNING', total: 100, used: 80, until: '2099-01-01T00:00:00.000Z' },
    },
  });
  for (const headers of [{ prefer: '' }, { prefer: 'respond-async' }]) {
    const answer = await world.call('/messages/text', {
      key: caller.key,
      headers,
      body: { to: STRANGER, body: 'Good morning' },
    });
    expect(answer.status).toBe(429);
    expect(answer.headers).toMatchObject({ 'x-limit': 'new-contacts', 'x-send-outcome': 'not_sent' });
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(7190);
    expect(Number(answer.headers['retry-after'])).toBeLessThanOrEqual(7200);
    expect(answer.headers['x-message-id']).toBeUndefined();
    expect(answer.body).toEqual({ success: false, error: expect.stringContaining('new conversations') });
  }
  expect(await world.database.sql`select 1 from messages where number_id = ${caller.numberId}`).toEqual([]);

  await limit(null);
  const free = await world.call('/messages/text', {
    key: caller.key,
    headers: { prefer: 'respond-async' },
    body: { to: STRANGER, body: 'Good morning' },
  });
  expect(free.status).toBe(202);
  expect((await number()).body).toMatchObject({
    data: { health: { level: 'watch' }, newContacts: { allowed: true, used: 1 }, timelock: null },
  });
});

test('a new person whose only message was cancelled does not count, and counts again with the next one', async () => {
  const other = await makeCaller(world);
  const used = async () => {
    const { body } = await world.call('/number', { key: other.key });
    return (body as { data: { newContacts: { used: number } } }).data.newContacts.used;
  };
  const send = async (to: string) => {
    const answer = await world.call('/messages/text', {
      key: other.key,
      headers: { prefer: 'respond-async' },
      body: { to, body: `Good morning ${to}` },
    });
    expect(answer.status).toBe(202);
    return String(answer.headers['x-message-id']);
  };
  const [first] = [await send(STRANGER), await send('4915228817387')];
  expect(await used()).toBe(2);
  expect((await world.call(`/messages/${first}/cancel`, { method: 'POST', key: other.key })).status).toBe(
    200,
  );
  expect(await used()).toBe(1);
  await world.database.sql`delete from messages where id = ${first}`;
  expect(await used()).toBe(2);
  const again = await send(STRANGER);
  expect(await used()).toBe(2);
  await world.database
    .sql`update messages set status = 'sending', dispatched_at = clock_timestamp() where id = ${again}`;
  await world.database.sql`update messages set status = 'failed' where id = ${again}`;
  expect(await used()).toBe(2);
});

import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { EVENT_TYPES } from '#server/core/webhooks/events.ts';
import { createTestDatabase } from '#server/testing/database.ts';
import { CLI, linkAsWorker, makeAccount, makeNumber, queueMessage } from '#server/testing/domain.ts';
import { changeEndpoint, createEndpoint, removeEndpoint, replay, sendTestEvent } from './endpoints.ts';
import { type Claimed, claimDeliveries, recordAttempts } from './queries/deliveries.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const URL = 'https://example.com/hook';
let accountId: string;
let numberId: string;
let phone: string;
beforeEach(async () => {
  ({ accountId } = await makeAccount(database));
  numberId = await makeNumber(database, { accountId });
  phone = `4915${randomInt(1e9, 1e10)}`;
  await linkAsWorker(database, { numberId, phone });
});

const context = () => ({ database, accountId, actor: CLI });
const endpoint = (input: Partial<Parameters<typeof createEndpoint>[1]> = {}) =>
  createEndpoint(context(), { numberId: null, url: URL, ...input });
const message = () =>
  queueMessage(database, {
    accountId,
    numberId,
    recipient: '491700000042@c.us',
    content: { type: 'text', body: 'Hello' },
  });
const become = (messageId: string, ...statuses: string[]) =>
  statuses.reduce(
    (before, status) =>
      before.then(async () => {
        await database.sql`update messages set status = ${status} where id = ${messageId}`;
      }),
    Promise.resolve(),
  );
const events = () =>
  database.sql<{ id: string; type: string; data: Record<string, unknown> }[]>`
    select id, type, data from webhook_events where account_id = ${accountId} order by created_at, (data->>'sequence')::int`;
/** Records the answer to a claimed event. */
const deliver = async (claimed: Claimed | undefined, status: number) => {
  if (!claimed) throw new Error('nothing was claimed');
  const { deliveryId, endpointId, eventId } = claimed;
  const error = status === 200 ? null : `The endpoint returned ${status}.`;
  await recordAttempts(database, [
    {
      ...{ deliveryId, endpointId, eventId, durationMs: 1, requestHeaders: {}, answer: '' },
      ...{ status, error, retryInMs: error === null ? null : 0, restMs: null },
    },
  ]);
};
const deliveries = (endpointId: string) =>
  database.sql<{ type: string; state: string }[]>`
    select e.type, d.state from webhook_deliveries d join webhook_events e on e.id = d.event_id
    where d.endpoint_id = ${endpointId} order by d.id`;

test('each announced state of a message is an event with the next sequence, without its text', async () => {
  const { id } = await endpoint();
  const messageId = await message();
  await become(messageId, 'sending', 'unknown', 'sent', 'delivered', 'read');
  const written = await events();
  expect(written.map(({ type, data }) => [type, data.sequence])).toEqual([
    ['message.unknown', 1],
    ['message.sent', 2],
    ['message.delivered', 3],
    ['message.read', 4],
  ]);
  expect(written[0]?.data).toMatchObject({
    id: messageId,
    reference: null,
    status: 'unknown',
    errorCode: null,
    kind: 'text',
    to: '491700000042@c.us',
    number: phone,
    numberId,
    createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  });
  const times = written.map(({ data }) => [data.deliveredAt, data.readAt]);
  const time = expect.stringMatching(/Z$/);
  expect(times).toEqual([
    [null, null],
    [null, null],
    [time, null],
    [time, time],
  ]);
  expect(JSON.stringify(written)).not.toContain('Hello');
  expect((await deliveries(id)).map(({ type }) => type)).toEqual(written.map(({ type }) => type));
});

test.each(['failed', 'expired', 'cancelled'])('a message that is %s is announced once', async (status) => {
  const { id } = await endpoint();
  await become(await message(), status, status);
  expect(await deliveries(id)).toEqual([{ type: `message.${status}`, state: 'pending' }]);
});

test('no message was read before it was delivered, also if only the reading was reported', async () => {
  await endpoint();
  const ids = await Promise.all(Array.from({ length: 500 }, message));
  for (const status of ['sending', 'sent', 'read'])
    await database.sql`update messages set status = ${status} where id = any(${ids})`;
  const times = (await events())
    .filter(({ type }) => type === 'message.read')
    .map(({ data }) => [data.deliveredAt, data.readAt].map((time) => Date.parse(String(time))));
  expect(times).toHaveLength(500);
  expect(times.filter(([delivered = Number.NaN, read = Number.NaN]) => !(delivered <= read))).toEqual([]);
});

test('a change that is rolled back leaves no event', async () => {
  await endpoint();
  const messageId = await message();
  const change = database.sql.begin(async (sql) => {
    await sql`update messages set status = 'cancelled' where id = ${messageId}`;
    throw new Error('not after all');
  });
  await expect(change).rejects.toThrow('not after all');
  expect(await events()).toEqual([]);
});

test('the state of a number is an event', async () => {
  const { id } = await endpoint({ events: ['number.status'] });
  await database.sql`update numbers set status = 'LOGGED_OUT', cause = '{"code": "link_gone"}' where id = ${numberId}`;
  const [event] = await events();
  expect(event).toMatchObject({
    type: 'number.status',
    data: {
      numberId,
      number: phone,
      status: 'LOGGED_OUT',
      previousStatus: 'CONNECTED',
      cause: { code: 'link_gone' },
    },
  });
  expect(await deliveries(id)).toHaveLength(1);
});

test('an endpoint gets the types and the number that it asked for', async () => {
  const other = await makeNumber(database, { accountId });
  const some = await endpoint({ events: ['message.read', 'message.sent'] });
  const all = await endpoint();
  const others = await endpoint({ numberId: other });
  expect(all.events).toEqual(EVENT_TYPES);
  await become(await message(), 'sending', 'sent', 'delivered');
  const types = async (id: string) => (await deliveries(id)).map(({ type }) => type);
  expect(await types(some.id)).toEqual(['message.sent']);
  expect(await types(all.id)).toEqual(['message.sent', 'message.delivered']);
  expect(await types(others.id)).toEqual([]);
});

test('where nobody is subscribed nothing is written', async () => {
  await become(await message(), 'sending', 'sent');
  expect(await events()).toEqual([]);
});

test('another account’s endpoint gets nothing', async () => {
  const stranger = await makeAccount(database);
  const { id } = await createEndpoint(
    { database, accountId: stranger.accountId, actor: CLI },
    { numberId: null, url: URL },
  );
  await become(await message(), 'cancelled');
  expect(await deliveries(id)).toEqual([]);
});

test('what an endpoint missed while it was off is sent by a replay, what it has is sent again', async () => {
  const { id } = await endpoint();
  const since = new Date(Date.now() - 60_000);
  const messageId = await message();
  await become(messageId, 'sending', 'sent');
  await changeEndpoint(context(), { endpointId: id }, { active: false });
  await become(messageId, 'delivered');
  expect(await deliveries(id)).toHaveLength(1);
  await expect(replay(context(), { endpointId: id }, { since })).rejects.toMatchObject({
    code: 'invalid_parameters',
  });
  await changeEndpoint(context(), { endpointId: id }, { active: true });
  await database.sql`update webhook_deliveries set state = 'delivered', attempts = 2 where endpoint_id = ${id}`;
  expect(await replay(context(), { endpointId: id }, { since })).toEqual({ events: 2 });
  expect(await deliveries(id)).toEqual([
    { type: 'message.sent', state: 'pending' },
    { type: 'message.delivered', state: 'pending' },
  ]);
  expect(await replay(context(), { endpointId: id }, { since: new Date() })).toEqual({ events: 0 });
  await expect(replay(context(), { endpointId: id }, { eventId: 'evt_none' })).rejects.toMatchObject({
    code: 'not_found',
  });
});

test('a replay keeps the order of a message, also of events that were written in the same millisecond', async () => {
  const { id } = await endpoint();
  const messages = await Promise.all(Array.from({ length: 10 }, message));
  await Promise.all(messages.map((messageId) => become(messageId, 'sending', 'sent', 'delivered', 'read')));
  await database.sql`update webhook_events set created_at = now() where account_id = ${accountId}`;
  await database.sql`delete from webhook_deliveries where endpoint_id = ${id}`;
  await replay(context(), { endpointId: id }, { since: new Date(Date.now() - 60_000) });
  const rows = await database.sql<{ sequences: number[] }[]>`
    select array_agg((e.data->>'sequence')::int order by d.id) as sequences
    from webhook_deliveries d join webhook_events e on e.id = d.event_id where d.endpoint_id = ${id} group by d.subject`;
  expect(rows.map(({ sequences }) => sequences)).toEqual(messages.map(() => [1, 2, 3]));
});

/** The sequences that wait for an endpoint, in the order in which they are claimed, and how often each was tried. */
const waiting = (endpointId: string) =>
  database.sql<{ sequence: number; requests: number }[]>`
    select (e.data->>'sequence')::int as sequence,
      (select count(*)::int from webhook_attempts a where a.delivery_id = d.id) as requests
    from webhook_deliveries d join webhook_events e on e.id = d.event_id
    where d.endpoint_id = ${endpointId} and d.state = 'pending' order by d.id`;

test('a replay sends what an endpoint missed before the later events of the same message', async () => {
  const { id } = await endpoint();
  const messageId = await message();
  await become(messageId, 'sending', 'unknown');
  await changeEndpoint(context(), { endpointId: id }, { active: false });
  await become(messageId, 'sent');
  await changeEndpoint(context(), { endpointId: id }, { active: true });
  await become(messageId, 'delivered', 'read');
  const [third] = await claimDeliveries(database, { endpointId: id, most: 1, leaseMs: -1 });
  expect(third?.data.sequence).toBe(3);
  await deliver(third, 500);
  await replay(context(), { endpointId: id }, { since: new Date(Date.now() - 60_000) });
  expect(await waiting(id)).toEqual([
    { sequence: 1, requests: 0 },
    { sequence: 2, requests: 0 },
    { sequence: 3, requests: 1 },
    { sequence: 4, requests: 0 },
  ]);
});

test('a request that a replay overtakes is in the log, and its event is sent again in its place', async () => {
  const { id } = await endpoint();
  const messageId = await message();
  await changeEndpoint(context(), { endpointId: id }, { active: false });
  await become(messageId, 'sending', 'sent');
  await changeEndpoint(context(), { endpointId: id }, { active: true });
  await become(messageId, 'delivered');
  const [second] = await claimDeliveries(database, { endpointId: id, most: 1, leaseMs: -1 });
  await replay(context(), { endpointId: id }, { since: new Date(Date.now() - 60_000) });
  await deliver(second, 200);
  expect(await waiting(id)).toEqual([
    { sequence: 1, requests: 0 },
    { sequence: 2, requests: 1 },
  ]);
});

test('a replay of very many events is stored part by part, and sends each once and in order', async () => {
  const { id } = await endpoint();
  await database.sql`
    insert into webhook_events (id, account_id, number_id, subject, type, data, created_at)
    select 'evt_' || ${id} || m || s, ${accountId}, ${numberId}, ${id} || m, 'message.sent', json_build_object('sequence', s),
      now() - (21000 - 3 * m) * interval '1 millisecond'
    from generate_series(1, 7000) m, generate_series(1, 3) s`;
  // It missed the first event of each message.
  await database.sql`
    insert into webhook_deliveries (endpoint_id, event_id, subject, state)
    select ${id}, id, subject, 'delivered' from webhook_events
    where account_id = ${accountId} and (data->>'sequence')::int > 1 order by id`;
  expect(await replay(context(), { endpointId: id }, { since: new Date(0) })).toEqual({ events: 21_000 });
  const orders = await database.sql`
    select distinct sequences, count(*)::int as messages from (
      select array_agg((e.data->>'sequence')::int order by d.id) as sequences
      from webhook_deliveries d join webhook_events e on e.id = d.event_id
      where d.endpoint_id = ${id} and d.state = 'pending' group by d.subject) orders group by sequences`;
  expect(orders).toEqual([{ sequences: [1, 2, 3], messages: 7000 }]);
  const parts = await database.sql<{ rows: number }[]>`
    select count(*)::int as rows from webhook_deliveries where endpoint_id = ${id} group by xmin::text`;
  expect(Math.max(...parts.map(({ rows }) => rows))).toBeLessThan(10_100);
  const audits = await database.sql`
    select detail from audit_log where account_id = ${accountId} and action = 'webhook.replay'`;
  expect(audits).toEqual([{ detail: { events: 21_000 } }]);
}, 60_000);

test('an event that was accepted after its endpoint was switched off is delivered, one that was refused is dropped', async () => {
  const { id } = await endpoint();
  for (const messageId of [await message(), await message()]) await become(messageId, 'cancelled');
  const [accepted, refused] = await claimDeliveries(database, { endpointId: id, most: 2, leaseMs: 1000 });
  await changeEndpoint(context(), { endpointId: id }, { active: false });
  await deliver(accepted, 200);
  await deliver(refused, 500);
  expect((await deliveries(id)).map(({ state }) => state)).toEqual(['delivered', 'dropped']);
});

test('an endpoint that is deleted while a message changes fails neither', async () => {
  const { id } = await endpoint();
  const messages = await Promise.all(Array.from({ length: 20 }, message));
  const changes = messages.map((messageId) => become(messageId, 'cancelled'));
  await Promise.all([...changes, removeEndpoint(context(), { endpointId: id })]);
  const [{ cancelled } = { cancelled: 0 }] = await database.sql<{ cancelled: number }[]>`
    select count(*)::int as cancelled from messages where number_id = ${numberId} and status = 'cancelled'`;
  expect(cancelled).toBe(20);
  expect(await deliveries(id)).toEqual([]);
});

test('an account has at most 10 endpoints for all numbers, also if more are created at the same moment', async () => {
  const made = await Promise.allSettled(Array.from({ length: 14 }, () => endpoint()));
  expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
});

test('a number gets its events at no more than 10 endpoints, whichever were made first', async () => {
  const refused = { code: 'invalid_parameters', message: expect.stringContaining('at most 10 endpoints') };
  const other = await makeNumber(database, { accountId });
  for (let n = 0; n < 6; n += 1) await endpoint({ numberId });
  for (let n = 0; n < 4; n += 1) await endpoint();
  await expect(endpoint()).rejects.toMatchObject(refused);
  for (let n = 0; n < 6; n += 1) await endpoint({ numberId: other });
  await expect(endpoint({ numberId: other })).rejects.toMatchObject(refused);
});

test('the endpoints of a removed number leave room for others', async () => {
  for (let n = 0; n < 10; n += 1) await endpoint({ numberId });
  await database.sql`update numbers set removed_at = now() where id = ${numberId}`;
  expect(await endpoint()).toMatchObject({ numberId: null });
});

test('a replay keeps the newest requests of each event, so that the log does not grow with each replay', async () => {
  const { id } = await endpoint();
  for (const messageId of [await message(), await message()]) await become(messageId, 'cancelled');
  await database.sql`
    insert into webhook_attempts (delivery_id, at, duration_ms, status)
    select d.id, now(), n, 200 from webhook_deliveries d cross join generate_series(1, 120) n where d.endpoint_id = ${id}`;
  await replay(context(), { endpointId: id }, { since: new Date(0) });
  const kept = () => database.sql`
    select count(*)::int as requests, min(a.duration_ms) as oldest from webhook_attempts a
    join webhook_deliveries d on d.id = a.delivery_id where d.endpoint_id = ${id} group by d.id`;
  const requests = { requests: 49, oldest: 72 };
  expect(await kept()).toEqual([requests, requests]);
  await replay(context(), { endpointId: id }, { since: new Date(0) });
  expect(await kept()).toEqual([requests, requests]);
});

test('a test event can be replayed, also at an endpoint of one number', async () => {
  for (const of of [numberId, null]) {
    const { id } = await endpoint({ numberId: of });
    const { eventId } = await sendTestEvent(context(), { endpointId: id });
    const other = await endpoint({ numberId: of });
    expect(await replay(context(), { endpointId: id }, { eventId })).toEqual({ events: 1 });
    await expect(replay(context(), { endpointId: other.id }, { eventId })).rejects.toMatchObject({
      code: 'not_found',
    });
  }
});

test('the sequence of test events grows, also after earlier ones have been deleted', async () => {
  const { id } = await endpoint();
  const sequenceOf = async ({ eventId }: { eventId: string }) => {
    const [row] = await database.sql`select data from webhook_events where id = ${eventId}`;
    return row?.data;
  };
  const sendTest = async () => sequenceOf(await sendTestEvent(context(), { endpointId: id }));
  expect(await sendTest()).toEqual({ id, sequence: 1 });
  expect(await sendTest()).toEqual({ id, sequence: 2 });
  await database.sql`delete from webhook_events where account_id = ${accountId}`;
  expect(await sendTest()).toEqual({ id, sequence: 3 });
});

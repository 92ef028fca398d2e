import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { EVENT_TYPES } from '#server/core/webhooks/events.ts';
import { queueMessage } from '#server/testing/domain.ts';
import { makeCaller, type RestWorld, startRest, type TestCaller } from '#server/testing/rest.ts';
import { createEndpoint } from '#server/webhooks/endpoints.ts';

let world: RestWorld;
let caller: TestCaller;
beforeAll(async () => {
  world = await startRest();
});
beforeEach(async () => {
  caller = await makeCaller(world);
});
afterAll(() => world[Symbol.asyncDispose]());

const URL = 'https://example.com/hook';
interface Endpoint {
  id: string;
  secret: string;
}
const call = (path: string, method: string, body?: unknown, key = caller.key) =>
  world.call(path, { method, key, ...(body !== undefined && { body }) });
const create = async (body: object = { url: URL }): Promise<Endpoint> => {
  const { status, body: answer } = await call('/webhooks', 'POST', body);
  expect(status).toBe(200);
  return (answer as { data: Endpoint }).data;
};

describe('an endpoint', () => {
  test('is created for all events, and only then shows its secret', async () => {
    const made = await create();
    expect(made).toEqual({
      id: expect.stringMatching(/^whe_/),
      url: URL,
      events: [...EVENT_TYPES],
      active: true,
      secret: expect.stringMatching(/^whsec_[\w+/=]{32,}$/),
    });
    const { secret, ...shown } = made;
    const list = await call('/webhooks', 'GET');
    expect(list.body).toEqual({
      success: true,
      data: { webhooks: [{ ...shown, disabledReason: null, failingSince: null }] },
    });
    expect(JSON.stringify(list.body)).not.toContain(secret);
  });

  test('is stored without its secret in clear', async () => {
    const { secret } = await create();
    const [row] = await world.database.sql<
      { text: string }[]
    >`select row_to_json(e)::text as text from webhook_endpoints e order by created_at desc limit 1`;
    expect(row?.text).not.toContain(secret.slice('whsec_'.length));
  });

  test('changes its address and events, and is switched off and on', async () => {
    const { id } = await create();
    const change = (body: object) => call(`/webhooks/${id}`, 'PATCH', body);
    expect((await change({ events: ['message.read', 'message.sent'] })).body).toMatchObject({
      data: { events: ['message.sent', 'message.read'], url: URL, active: true },
    });
    expect((await change({ active: false, url: 'https://example.org/' })).body).toMatchObject({
      data: { url: 'https://example.org/', active: false },
    });
    await world.database
      .sql`update webhook_endpoints set disabled_reason = 'failing', failures_in_a_row = 9, failing_since = now(), retry_at = now() + interval '1 hour' where id = ${id}`;
    expect((await call('/webhooks', 'GET')).body).toMatchObject({
      data: {
        webhooks: [{ active: false, disabledReason: 'failing', failingSince: expect.stringMatching(/Z$/) }],
      },
    });
    const failures = () =>
      world.database
        .sql`select failures_in_a_row, failing_since, retry_at from webhook_endpoints where id = ${id}`;
    await change({ url: 'https://example.org/new' });
    expect(await failures()).toEqual([{ failures_in_a_row: 0, failing_since: null, retry_at: null }]);
    for (const active of ['false', 0, null])
      expect(await change({ active })).toMatchObject({
        status: 400,
        body: { error: 'active must be true or false, without quotes.' },
      });
    expect((await change({ active: true })).body).toMatchObject({ data: { active: true } });
    const [row] = await world.database
      .sql`select disabled_reason, failures_in_a_row, failing_since, retry_at from webhook_endpoints where id = ${id}`;
    expect(row).toEqual({ disabled_reason: null, failures_in_a_row: 0, failing_since: null, retry_at: null });
  });

  test('gets a new secret without a body, and is deleted without one', async () => {
    const { id, secret } = await create();
    const rotated = await call(`/webhooks/${id}/rotate`, 'POST');
    expect(rotated.status).toBe(200);
    expect((rotated.body as { data: Endpoint }).data.secret).not.toBe(secret);
    expect(await call(`/webhooks/${id}`, 'DELETE')).toMatchObject({ status: 200, body: { data: { id } } });
    expect((await call('/webhooks', 'GET')).body).toMatchObject({ data: { webhooks: [] } });
    expect((await call(`/webhooks/${id}`, 'DELETE')).status).toBe(404);
  });

  test('gets a test event without a body, unless it is switched off', async () => {
    const { id } = await create({ url: URL, events: ['message.read'] });
    await world.database
      .sql`update webhook_endpoints set retry_at = now() + interval '1 hour', failures_in_a_row = 9 where id = ${id}`;
    const tested = await call(`/webhooks/${id}/test`, 'POST');
    expect(tested).toMatchObject({
      status: 200,
      body: { success: true, data: { eventId: expect.stringMatching(/^evt_\w+$/) } },
    });
    const rows = await world.database.sql`
      select e.id, e.type, e.data, w.retry_at from webhook_deliveries d join webhook_events e on e.id = d.event_id
      join webhook_endpoints w on w.id = d.endpoint_id where d.endpoint_id = ${id} and d.state = 'pending'`;
    const { eventId } = (tested.body as { data: { eventId: string } }).data;
    expect(rows).toEqual([{ id: eventId, type: 'webhook.test', data: { id, sequence: 1 }, retry_at: null }]);
    await call(`/webhooks/${id}`, 'PATCH', { active: false });
    expect(await call(`/webhooks/${id}/test`, 'POST')).toMatchObject({
      status: 400,
      body: { error: 'This endpoint is switched off. Switch it on, then send a test event.' },
    });
    expect((await call('/webhooks/whe_none/test', 'POST')).status).toBe(404);
  });

  test('sends the events since a time again', async () => {
    const { id } = await create();
    const messageId = await queueMessage(world.database, caller);
    await world.database.sql`update messages set status = 'cancelled' where id = ${messageId}`;
    const since = new Date(Date.now() - 60_000).toISOString();
    expect((await call(`/webhooks/${id}/replay`, 'POST', { since })).body).toEqual({
      success: true,
      data: { events: 1 },
    });
    const later = await call(`/webhooks/${id}/replay`, 'POST', { since: '2100-01-01T00:00:00+02:00' });
    expect(later.body).toMatchObject({ data: { events: 0 } });
  });
});

describe('another’s endpoint', () => {
  test('does not exist for the key of another number, nor does one of the whole account', async () => {
    const { id } = await create();
    const actor = { kind: 'cli' } as const;
    const whole = await createEndpoint(
      { database: world.database, accountId: caller.accountId, actor },
      { numberId: null, url: URL },
    );
    const stranger = await makeCaller(world);
    expect((await call('/webhooks', 'GET', undefined, stranger.key)).body).toMatchObject({
      data: { webhooks: [] },
    });
    const since = '2026-01-01T00:00:00Z';
    for (const [endpointId, key] of [
      [id, stranger.key],
      [whole.id, caller.key],
    ] as const) {
      for (const [method, path, body] of [
        ['PATCH', '', { active: false }],
        ['DELETE', '', undefined],
        ['POST', '/rotate', undefined],
        ['POST', '/test', undefined],
        ['POST', '/replay', { since }],
      ] as const)
        expect((await call(`/webhooks/${endpointId}${path}`, method, body, key)).status).toBe(404);
    }
    const [row] = await world.database
      .sql`select count(*)::int as left from webhook_endpoints where id in (${id}, ${whole.id}) and active`;
    expect(row).toEqual({ left: 2 });
  });
});

describe('a request that is wrong', () => {
  test.each([
    ['no address', {}, 'url is missing. Send the address that events are posted to.'],
    ['no URL', { url: 'example.com' }, /^url is not a complete URL/],
    ['another scheme', { url: 'ftp://example.com/' }, /^url must begin with http/],
    ['credentials', { url: 'https://ann:pass@example.com/' }, /^url must not contain a user name/],
    ['a private address', { url: 'http://10.0.0.1/' }, /^url leads to an address that is not public/],
    ['this machine', { url: 'http://localhost/' }, /^url leads to an address that is not public/],
    ['a port', { url: 'https://example.com:22/' }, /^url uses port 22/],
    [
      'no events',
      { url: URL, events: [] },
      /^events is empty\. Send at least one type\. The types are: message/,
    ],
    ['an unknown event', { url: URL, events: ['message.seen'] }, /^events contains an unknown type/],
    ['events as a text', { url: URL, events: 'message.sent' }, 'events must be a list of event types.'],
  ])('%s is refused in a sentence that says what to send', async (_what, body, error) => {
    const answer = await call('/webhooks', 'POST', body);
    expect(answer.status).toBe(400);
    expect((answer.body as { error: string }).error).toMatch(error);
  });

  test('a field that does not exist is refused, with those that do, and changes nothing', async () => {
    const { id } = await create();
    const made = await call('/webhooks', 'POST', { url: URL, event: ['message.sent'] });
    const changed = await call(`/webhooks/${id}`, 'PATCH', { url: 'https://example.org/', activ: false });
    const since = new Date().toISOString();
    const replayed = await call(`/webhooks/${id}/replay`, 'POST', { since, '<b>until\n': since });
    expect([made, changed, replayed].map(({ status }) => status)).toEqual([400, 400, 400]);
    expect([made, changed, replayed].map(({ body }) => (body as { error: string }).error)).toEqual([
      'There is no field "event". The fields are: url, events, token.',
      'There is no field "activ". The fields are: url, events, active, token.',
      'There is no field "?b?until?". The fields are: since, token.',
    ]);
    expect((await call('/webhooks', 'GET')).body).toMatchObject({
      data: { webhooks: [{ id, url: URL, active: true }] },
    });
    const long = await call(`/webhooks/${id}`, 'PATCH', { ['x'.repeat(500)]: 1, token: caller.key });
    expect((long.body as { error: string }).error).toContain(`"${'x'.repeat(40)}". The fields`);
    expect(await call(`/webhooks/${id}`, 'PATCH', { active: false, token: caller.key })).toMatchObject({
      status: 200,
      body: { data: { active: false } },
    });
  });

  test('a time without an offset is refused', async () => {
    const { id } = await create();
    const answer = await call(`/webhooks/${id}/replay`, 'POST', { since: '2026-03-01' });
    expect(answer.body).toEqual({
      success: false,
      error: 'since must be a time with a UTC offset, such as 2026-03-01T08:00:00Z.',
    });
  });

  test('an eleventh endpoint is refused', async () => {
    for (let n = 0; n < 10; n += 1) await create();
    const answer = await call('/webhooks', 'POST', { url: URL });
    expect(answer.status).toBe(400);
    expect((answer.body as { error: string }).error).toMatch(/^A number has at most 10 endpoints/);
  });

  test('a body is needed where there are fields', async () => {
    const answer = await world.call('/webhooks', { method: 'POST', key: caller.key });
    expect(answer.status).toBe(400);
  });
});

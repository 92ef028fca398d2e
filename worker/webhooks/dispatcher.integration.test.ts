import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { PgBoss } from 'pg-boss';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { INSPECT_URL } from '#server/core/webhooks/inspect.ts';
import { log } from '#server/platform/log.ts';
import { openGuardedClient } from '#server/platform/media/guarded-client.ts';
import { startBoss } from '#server/platform/queue/boss.ts';
import { createTestDatabase } from '#server/testing/database.ts';
import { CLI, linkAsWorker, makeAccount, makeNumber, queueMessage } from '#server/testing/domain.ts';
import { sqlOver } from '#server/testing/sql.ts';
import {
  changeEndpoint,
  createEndpoint,
  removeEndpoint,
  replay,
  rotateSecret,
  sendTestEvent,
} from '#server/webhooks/endpoints.ts';
import { claimDeliveries, ENDPOINT_CHANNEL } from '#server/webhooks/queries/deliveries.ts';
import { clientOf } from './client-of.ts';
import { WebhookDispatcher } from './dispatcher.ts';

interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  /** The ID of the message that the event is about. */
  id: string;
  status: string;
  sequence: number;
}

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let boss: PgBoss;
let server: Server;
let host: string;
/** What the receiver has received, in order. */
let received: Received[];
/** The status that the receiver answers; a promise holds the answer back. */
let answer: (request: Received) => number | Promise<number>;
/** Headers of the receiver's answers. */
let answerHeaders: Record<string, string>;
let accountId: string;
let numberId: string;
const dispatchers: WebhookDispatcher[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  // Only the test of a backlog decides what PostgreSQL knows of it.
  await database.sql`alter table webhook_deliveries set (autovacuum_enabled = off)`;
  boss = await startBoss(database, 'worker');
  server = createServer(async (request, response) => {
    const body = await text(request);
    const { data } = JSON.parse(body);
    const one = { path: request.url ?? '', headers: request.headers, body, ...data };
    received.push(one);
    response.writeHead(await answer(one), answerHeaders).end('noted');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await boss.stop({ graceful: false });
  server.closeAllConnections();
  server.close();
  await database.drop();
});

beforeEach(async () => {
  received = [];
  answer = () => 200;
  answerHeaders = {};
  await database.sql`delete from webhook_endpoints`;
  ({ accountId } = await makeAccount(database));
  numberId = await makeNumber(database, { accountId });
  await linkAsWorker(database, { numberId });
});
afterEach(() => Promise.all(dispatchers.splice(0).map((dispatcher) => dispatcher.stop())));

/** A worker process that delivers. */
async function startWorker({ answerMs = 1000 } = {}): Promise<WebhookDispatcher> {
  const dispatcher = new WebhookDispatcher({
    ...{ database, boss, log },
    open: (url) => openGuardedClient(url, { allowHosts: [host], ports: [], answerMs, connections: 8 }),
  });
  dispatchers.push(dispatcher);
  await dispatcher.start();
  return dispatcher;
}

const context = () => ({ database, accountId, actor: CLI });
/** An endpoint of the account at the receiver, and its secret. */
async function endpoint(path = '/hook'): Promise<{ id: string; secret: string }> {
  const { id, secret } = await createEndpoint(context(), { numberId: null, url: 'https://example.com/' });
  await database.sql`update webhook_endpoints set url = ${`http://${host}${path}`} where id = ${id}`;
  return { id, secret };
}
const message = () => queueMessage(database, { accountId, numberId });
const become = async (messageId: string, ...statuses: string[]) => {
  for (const status of statuses)
    await database.sql`update messages set status = ${status} where id = ${messageId}`;
};
const endpointRow = async (id: string) => {
  const [row] = await database.sql`select * from webhook_endpoints where id = ${id}`;
  return row;
};
const waiting = { timeout: 15_000, interval: 20 };

test('an event arrives within a second, signed as Standard Webhooks has it', async () => {
  await startWorker();
  const { secret } = await endpoint();
  await become(await message(), 'sending', 'sent');
  await vi.waitFor(() => expect(received).toHaveLength(1), { timeout: 1000, interval: 5 });
  const { body = '', headers = {} } = received[0] ?? {};
  const verified = new Webhook(secret).verify(body, headers as Record<string, string>);
  expect(verified).toMatchObject({ type: 'message.sent', data: { status: 'sent', sequence: 1 } });
  expect(headers['webhook-id']).toMatch(/^evt_\w{32}$/);
  expect(() => new Webhook(secret).verify(`${body} `, headers as Record<string, string>)).toThrow();
});

test('events that are only inspected are delivered to the page: nothing is posted', async () => {
  await database.sql`update numbers set network = 'sandbox' where id = ${numberId}`;
  const { id } = await createEndpoint(context(), { numberId, url: INSPECT_URL });
  const dispatcher = new WebhookDispatcher({ ...{ database, boss, log }, open: clientOf });
  dispatchers.push(dispatcher);
  await dispatcher.start();
  await become(await message(), 'cancelled');
  await vi.waitFor(async () => {
    const rows = await database.sql`select status, answer, error from webhook_attempts a
      join webhook_deliveries d on d.id = a.delivery_id where d.endpoint_id = ${id}`;
    expect(rows).toEqual([{ status: 200, answer: 'Shown on this page.', error: null }]);
  }, waiting);
});

test('while a secret is rotated both verify', async () => {
  const { id, secret } = await endpoint();
  const { secret: next } = await rotateSecret(context(), { endpointId: id });
  await startWorker();
  await become(await message(), 'cancelled');
  await vi.waitFor(() => expect(received).toHaveLength(1), waiting);
  for (const one of [secret, next])
    expect(
      new Webhook(one).verify(received[0]?.body ?? '', received[0]?.headers as Record<string, string>),
    ).toBeTruthy();
});

test('a second rotation within a day ends no secret early', async () => {
  const { id, secret } = await endpoint();
  const secrets = [secret];
  for (let n = 0; n < 3; n += 1) secrets.push((await rotateSecret(context(), { endpointId: id })).secret);
  await startWorker();
  await become(await message(), 'cancelled');
  await vi.waitFor(() => expect(received).toHaveLength(1), waiting);
  const { body = '', headers } = received[0] ?? {};
  for (const one of secrets)
    expect(new Webhook(one).verify(body, headers as Record<string, string>)).toBeTruthy();
});

test('each secret stops working a day after its rotation, and the eleventh rotation within a day is refused', async () => {
  const { id } = await endpoint();
  const rotate = () => rotateSecret(context(), { endpointId: id });
  for (let n = 0; n < 10; n += 1) await rotate();
  await expect(rotate()).rejects.toMatchObject({
    code: 'invalid_parameters',
    message: expect.stringMatching(/rotated 10 times within 24 hours. Rotate it again after \d{4}-.*Z\.$/),
  });
  await database.sql`
    update webhook_endpoints set older_secrets = (
      select json_agg(json_build_object('secret', o->>'secret', 'until', (o->>'until')::timestamptz - interval '24 hours'))
      from json_array_elements(older_secrets) o) where id = ${id}`;
  const { secret: last } = await rotate();
  await startWorker();
  await become(await message(), 'cancelled');
  await vi.waitFor(() => expect(received).toHaveLength(1), waiting);
  const { body = '', headers } = received[0] ?? {};
  expect(String(headers?.['webhook-signature']).split(' ')).toHaveLength(3);
  expect(new Webhook(last).verify(body, headers as Record<string, string>)).toBeTruthy();
});

test('an endpoint whose secret cannot be read is sent nothing, its log says so, and a rotation repairs it', async () => {
  const { id } = await endpoint();
  await database.sql`update webhook_endpoints set secret = 'AAAA' where id = ${id}`;
  await startWorker();
  await become(await message(), 'cancelled');
  const attempts = () => database.sql`
    select a.status, a.error, a.request_headers from webhook_attempts a
    join webhook_deliveries d on d.id = a.delivery_id where d.endpoint_id = ${id}`;
  await vi.waitFor(async () => {
    const error = expect.stringMatching(/^Nothing was sent: the signing secret .* Rotate the secret/);
    expect((await attempts())[0]).toEqual({ status: null, error, request_headers: null });
  }, waiting);
  expect(await endpointRow(id)).toMatchObject({ unsigned_since: expect.any(Date), failures_in_a_row: 1 });
  expect(received).toEqual([]);
  const { secret } = await rotateSecret(context(), { endpointId: id });
  expect(await endpointRow(id)).toMatchObject({ unsigned_since: null });
  await replay(context(), { endpointId: id }, { since: new Date(0) });
  await vi.waitFor(() => expect(received).toHaveLength(1), waiting);
  const { body = '', headers } = received[0] ?? {};
  expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toBeTruthy();
});

test('a process whose clock is days behind does not shorten the time of the secret before', async () => {
  const { id } = await endpoint();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 2 * 86_400_000 });
  const { previousSecretUntil } = await rotateSecret(context(), { endpointId: id }).finally(vi.useRealTimers);
  expect(Number(previousSecretUntil) - Date.now()).toBeGreaterThan(23 * 3_600_000);
});

test('events of one message arrive in order, while those of others do not wait', async () => {
  await endpoint();
  const [slow, quick] = [await message(), await message()];
  const released = Promise.withResolvers<number>();
  answer = ({ id, sequence }) => (id === slow && sequence === 1 ? released.promise : 200);
  await startWorker();
  await become(slow, 'sending', 'sent', 'delivered', 'read');
  await become(quick, 'sending', 'sent', 'delivered');
  await vi.waitFor(() => expect(received.filter(({ id }) => id === quick)).toHaveLength(2), waiting);
  expect(received.filter(({ id }) => id === slow).map(({ sequence }) => sequence)).toEqual([1]);
  released.resolve(200);
  await vi.waitFor(() => expect(received).toHaveLength(5), waiting);
  expect(received.filter(({ id }) => id === slow).map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
});

test('a refused event is sent again with the same id and body, and logged each time', async () => {
  const { id } = await endpoint();
  answer = () => (received.length === 1 ? 500 : 204);
  await startWorker();
  await become(await message(), 'cancelled');
  await vi.waitFor(() => expect(received).toHaveLength(2), waiting);
  const [first, second] = received;
  expect(second?.body).toBe(first?.body);
  expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
  await vi.waitFor(async () => {
    const log = await database.sql`
      select a.status, a.answer, a.error, a.request_headers->>'webhook-id' as event from webhook_attempts a join webhook_deliveries d on d.id = a.delivery_id
      where d.endpoint_id = ${id} order by a.id`;
    const event = first?.headers['webhook-id'];
    expect(log).toEqual([
      { status: 500, answer: 'noted', error: expect.stringContaining('returned 500'), event },
      { status: 204, answer: '', error: null, event },
    ]);
  }, waiting);
  expect(await endpointRow(id)).toMatchObject({ failing_since: null, failures_in_a_row: 0 });
}, 20_000);

test('an endpoint whose port or address is no longer permitted fails, and the log says so', async () => {
  const { id } = await endpoint();
  const urls = ['https://example.com:9999/', 'https://10.0.0.1/'];
  await startWorker();
  for (const [n, url] of urls.entries()) {
    await database.sql`update webhook_endpoints set url = ${url}, retry_at = null where id = ${id}`;
    await become(await message(), 'cancelled');
    await vi.waitFor(async () => {
      const attempts = await database.sql`select a.status, a.error from webhook_attempts a
        join webhook_deliveries d on d.id = a.delivery_id where d.endpoint_id = ${id} and d.id = (
          select max(id) from webhook_deliveries where endpoint_id = ${id})`;
      expect(attempts[0], url).toEqual({ status: null, error: expect.stringMatching(/is not permitted/) });
      expect((await endpointRow(id))?.failures_in_a_row).toBeGreaterThan(n);
    }, waiting);
  }
});

test('an endpoint that fails gets one attempt at a time, and nobody else waits for it', async () => {
  const failing = await endpoint('/failing');
  const good = await endpoint('/good');
  answer = ({ path }) => (path === '/good' ? 200 : 503);
  await startWorker();
  const messages = await Promise.all(Array.from({ length: 30 }, message));
  await Promise.all(messages.map((id) => become(id, 'cancelled')));
  await vi.waitFor(() => expect(received.filter(({ path }) => path === '/good')).toHaveLength(30), waiting);
  await vi.waitFor(
    async () => expect((await endpointRow(failing.id))?.retry_at).toBeInstanceOf(Date),
    waiting,
  );
  const attempts = received.filter(({ path }) => path === '/failing').length;
  expect(attempts).toBeGreaterThanOrEqual(5);
  expect(attempts).toBeLessThanOrEqual(12);
  expect(await endpointRow(good.id)).toMatchObject({ failing_since: null });
});

test.each([429, 503])(
  'an endpoint that returns %i with Retry-After gets no request for that time',
  async (status) => {
    const { id } = await endpoint();
    answer = () => status;
    answerHeaders = { 'retry-after': '3600' };
    await backlog(id, 30);
    await startWorker();
    await vi.waitFor(async () => {
      const row = await endpointRow(id);
      expect(row?.failures_in_a_row).toBeGreaterThan(0);
      expect(row?.failures_in_a_row).toBe(received.length);
      expect(Number(row?.retry_at) - Date.now()).toBeGreaterThan(3500_000);
    }, waiting);
    // All of the first places.
    expect(received.length).toBeLessThanOrEqual(8);
    answer = () => 200;
    await sendTestEvent(context(), { endpointId: id });
    await vi.waitFor(() => expect(received.map(({ id: about }) => about)).toContain(id), waiting);
    expect(await endpointRow(id)).toMatchObject({ active: true });
  },
);

test('an endpoint that waits after failures gets a request at once when its owner tests it or replays', async () => {
  const { id } = await endpoint();
  const wait = () =>
    database.sql`update webhook_endpoints set failures_in_a_row = 9, failing_since = now(),
      retry_at = now() + interval '1 hour' where id = ${id}`;
  await startWorker();
  await wait();
  await become(await message(), 'cancelled');
  const { eventId } = await sendTestEvent(context(), { endpointId: id });
  await vi.waitFor(() => expect(received.map(({ id: about }) => about)).toContain(id), waiting);
  await vi.waitFor(
    async () => expect(await endpointRow(id)).toMatchObject({ failing_since: null, retry_at: null }),
    waiting,
  );
  await wait();
  const before = received.length;
  await replay(context(), { endpointId: id }, { eventId });
  await vi.waitFor(() => expect(received).toHaveLength(before + 1), waiting);
});

test.each([
  ['that answers 410', 410, 'gone'],
  ['that has failed for 3 days', 500, 'failing'],
])('an endpoint %s is switched off, and what it was to get is dropped', async (_what, status, reason) => {
  const { id } = await endpoint();
  await database.sql`update webhook_endpoints set failing_since = now() - interval '73 hours' where id = ${id}`;
  answer = () => status;
  await startWorker();
  await become(await message(), 'cancelled');
  await vi.waitFor(
    async () => expect(await endpointRow(id)).toMatchObject({ active: false, disabled_reason: reason }),
    waiting,
  );
  const left =
    await database.sql`select 1 from webhook_deliveries where endpoint_id = ${id} and state = 'pending'`;
  expect(left).toEqual([]);
});

test('a worker whose clock is days behind switches no endpoint off after one failure, and the log has the true time', async () => {
  const { id } = await endpoint();
  answer = () => 500;
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 4 * 86_400_000 });
  onTestFinished(() => void vi.useRealTimers());
  const worker = await startWorker();
  await become(await message(), 'cancelled');
  await vi.waitFor(async () => expect((await endpointRow(id))?.failures_in_a_row).toBe(1), waiting);
  await worker.stop();
  const [row] = await database.sql`
    select e.active, e.failing_since > now() - interval '1 hour' as failing, a.at > now() - interval '1 hour' as logged
    from webhook_endpoints e join webhook_deliveries d on d.endpoint_id = e.id
    join webhook_attempts a on a.delivery_id = d.id where e.id = ${id}`;
  expect(row).toEqual({ active: true, failing: true, logged: true });
});

test('an endpoint whose URL changes after the old one answered 410 stays on, and the new one gets the event', async () => {
  const { id } = await endpoint('/old');
  const released = Promise.withResolvers<number>();
  answer = ({ path }) => {
    if (path !== '/old') return 200;
    return received.length === 1 ? 410 : released.promise;
  };
  const [gone = '', slow = ''] = [await message(), await message()];
  await database.sql`update messages set status = 'cancelled' where id in (${gone}, ${slow})`;
  await startWorker({ answerMs: 10_000 });
  await vi.waitFor(async () => {
    const rows =
      await database.sql`select from webhook_attempts a join webhook_deliveries d on d.id = a.delivery_id
      where d.endpoint_id = ${id} and a.status = 410`;
    expect(rows).toHaveLength(1);
  }, waiting);
  await database.sql`update webhook_endpoints set url = ${`http://${host}/new`} where id = ${id}`;
  released.resolve(200);
  await vi.waitFor(() => expect(received.filter(({ path }) => path === '/new')).toHaveLength(1), waiting);
  expect(await endpointRow(id)).toMatchObject({ active: true });
});

test('two workers deliver each event once', async () => {
  await Promise.all([startWorker(), startWorker()]);
  await endpoint();
  const messages = await Promise.all(Array.from({ length: 40 }, message));
  await Promise.all(messages.map((id) => become(id, 'sending', 'sent')));
  await vi.waitFor(() => expect(received).toHaveLength(40), waiting);
  expect(new Set(received.map(({ id }) => id)).size).toBe(40);
});

test('what a killed process had claimed is delivered by the next one', async () => {
  const { id } = await endpoint();
  await become(await message(), 'cancelled');
  await database.sql`
    update webhook_deliveries set claimed_until = clock_timestamp() + interval '1 second' where endpoint_id = ${id}`;
  await boss.insert('webhook', [{ data: { endpointId: id }, singletonKey: id }]);
  await boss.fetch('webhook', { batchSize: 50 });
  await database.sql`update webhook_deliveries set next_attempt_at = now() - interval '30 seconds', claimed_until = now() - interval '25 seconds'`;
  await startWorker();
  await vi.waitFor(() => expect(received).toHaveLength(1), waiting);
});

test('an event written before the clock of the database was set back by an hour is not delayed', async () => {
  const { id } = await endpoint();
  await become(await message(), 'cancelled');
  await database.sql`
    update webhook_deliveries set next_attempt_at = next_attempt_at + interval '1 hour' where endpoint_id = ${id}`;
  await startWorker();
  await vi.waitFor(() => expect(received).toHaveLength(1), waiting);
});

test('a request without an answer does not delay what comes after it', async () => {
  await endpoint();
  const [slow, quick] = [await message(), await message()];
  const released = Promise.withResolvers<number>();
  answer = ({ id }) => (id === slow ? released.promise : 200);
  await startWorker();
  await become(slow, 'cancelled');
  await vi.waitFor(() => expect(received).toHaveLength(1), waiting);
  await become(quick, 'cancelled');
  await vi.waitFor(() => expect(received).toHaveLength(2), { timeout: 700, interval: 5 });
  released.resolve(200);
});

test('processes that are killed before they have an answer do not change the order', async () => {
  const { id } = await endpoint();
  const messageId = await message();
  await become(messageId, 'sending', 'sent', 'delivered');
  for (let killed = 0; killed < 4; killed += 1) {
    const claimed = await claimDeliveries(database, { endpointId: id, most: 8, leaseMs: -1 });
    expect(claimed.map(({ data, attempts }) => [data.sequence, attempts])).toEqual([[1, 1]]);
  }
});

/** This many events of messages, as if they had happened while no process delivered. */
const backlog = (endpointId: string, events: number) => database.sql`
  with event as (
    insert into webhook_events (id, account_id, number_id, subject, type, data)
    select 'evt_' || replace(gen_random_uuid()::text, '-', ''), ${accountId}, ${numberId}, 'msg_' || n, 'message.sent',
      json_build_object('id', 'msg_' || n, 'sequence', 1) from generate_series(1, ${events}::int) n
    returning id, subject)
  insert into webhook_deliveries (endpoint_id, event_id, subject) select ${endpointId}, id, subject from event`;

test.each([
  ['before PostgreSQL knows of the backlog', false],
  ['afterwards', true],
])('a claim reads little more of a backlog than it takes: %s', async (_, analyzed) => {
  const { id } = await endpoint();
  await backlog(id, 2000);
  if (analyzed) await database.sql`analyze webhook_deliveries`;
  await database.webhooksPool.db.transaction(async (tx) => {
    const read = async () => {
      const [row] = await sqlOver(tx)<{ rows: number }[]>`
        select (idx_tup_fetch + seq_tup_read)::int as rows from pg_stat_xact_user_tables
        where relname = 'webhook_deliveries'`;
      return row?.rows ?? 0;
    };
    const before = await read();
    const webhooksPool = { ...database.webhooksPool, db: tx };
    const claimed = await claimDeliveries(
      { ...database, webhooksPool },
      { endpointId: id, most: 20, leaseMs: 1000 },
    );
    expect(claimed).toHaveLength(20);
    // A join with itself reads 20 times as much.
    expect((await read()) - before).toBeLessThan(1000);
  });
});

/** Starts a worker that has claimed more of 40 events than the 8 requests that it makes, which the receiver holds back. */
async function claimedAndHeld(endpointId: string): Promise<PromiseWithResolvers<number>> {
  const held = Promise.withResolvers<number>();
  answer = () => (received.length <= 3 ? 200 : held.promise);
  await backlog(endpointId, 3);
  await startWorker({ answerMs: 10_000 });
  await vi.waitFor(() => expect(received).toHaveLength(3), waiting);
  await backlog(endpointId, 40);
  await database.sql`select pg_notify('wirebird_webhook', ${endpointId})`;
  await vi.waitFor(() => expect(received).toHaveLength(11), waiting);
  return held;
}

/** Makes a change and waits until the worker knows it: it listened first on the same connection. */
async function heardByWorker(change: () => Promise<unknown>): Promise<void> {
  const heard = Promise.withResolvers<string>();
  const { unlisten } = await database.pool.listen(ENDPOINT_CHANNEL, heard.resolve);
  await change();
  await heard.promise;
  await unlisten();
}

test('what was claimed for an endpoint that becomes slow is given back', async () => {
  const { id } = await endpoint();
  const held = await claimedAndHeld(id);
  const claims = async () => {
    const [row] = await database.sql<{ count: number }[]>`
      select count(*)::int as count from webhook_deliveries where claimed_until > clock_timestamp()`;
    return row?.count;
  };
  await vi.waitFor(async () => expect(await claims()).toBe(8), waiting);
  held.resolve(200);
  await vi.waitFor(() => expect(new Set(received.map(({ id: message }) => message)).size).toBe(40), waiting);
});

test.each([
  ['switched off', (id: string) => changeEndpoint(context(), { endpointId: id }, { active: false })],
  ['deleted', (id: string) => removeEndpoint(context(), { endpointId: id })],
])('what was claimed for an endpoint that is then %s is not sent', async (_, change) => {
  const { id } = await endpoint();
  const held = await claimedAndHeld(id);
  await heardByWorker(() => change(id));
  held.resolve(200);
  await vi.waitFor(async () => {
    const jobs = await boss.findJobs('webhook', { key: id });
    expect(jobs.filter(({ state }) => state !== 'completed')).toEqual([]);
  }, waiting);
  expect(received).toHaveLength(11);
});

test('what was claimed before the address of an endpoint changes is sent to the new one', async () => {
  const { id } = await endpoint('/old');
  const held = await claimedAndHeld(id);
  await heardByWorker(() =>
    database.sql.begin(async (sql) => {
      await sql`update webhook_endpoints set url = ${`http://${host}/new`} where id = ${id}`;
      await sql`select pg_notify(${ENDPOINT_CHANNEL}, ${id})`;
    }),
  );
  held.resolve(200);
  await vi.waitFor(() => expect(received).toHaveLength(43), waiting);
  expect(received.slice(11).map(({ path }) => path)).toEqual(Array.from({ length: 32 }, () => '/new'));
});

test('an event does not wait until those before it are stored', async () => {
  const { id } = await endpoint();
  await backlog(id, 20);
  await database.sql.begin(async (sql) => {
    await sql`lock table webhook_attempts in exclusive mode`;
    await startWorker();
    // All of the first places: eight.
    await vi.waitFor(() => expect(received.length).toBeGreaterThan(8), waiting);
  });
  await vi.waitFor(() => expect(received).toHaveLength(20), waiting);
});

test('an endpoint that is kept busy heeds a new secret and a new state at once', async () => {
  const { id, secret } = await endpoint();
  await startWorker();
  await become(await message(), 'cancelled');
  await vi.waitFor(() => expect(received).toHaveLength(1), waiting);
  const { secret: next } = await rotateSecret(context(), { endpointId: id });
  await become(await message(), 'cancelled');
  await vi.waitFor(() => expect(received).toHaveLength(2), waiting);
  const { body = '', headers } = received[1] ?? {};
  for (const one of [secret, next])
    expect(new Webhook(one).verify(body, headers as Record<string, string>)).toBeTruthy();
  const waits = await message();
  await become(waits, 'sending');
  await database.sql.begin(async (sql) => {
    await sql`update messages set status = 'sent' where id = ${waits}`;
    await sql`update webhook_endpoints set active = false where id = ${id}`;
  });
  expect(await claimDeliveries(database, { endpointId: id, most: 8, leaseMs: 0 })).toEqual([]);
});

test('an answer that never ends is read no further than 64 KB', async () => {
  await endpoint();
  let sent = 0;
  server.removeAllListeners('request');
  server.on('request', (_request, response) => {
    received.push({} as Received);
    const more = () => {
      while (!response.destroyed && sent < 64 * 2 ** 20) {
        sent += 2 ** 16;
        if (!response.write(Buffer.alloc(2 ** 16, 'x'))) return void response.once('drain', more);
      }
    };
    more();
  });
  await startWorker();
  await become(await message(), 'cancelled');
  await vi.waitFor(async () => {
    const [row] =
      await database.sql`select status, length(answer) as kept from webhook_attempts order by id desc limit 1`;
    expect(row).toEqual({ status: 200, kept: 4096 });
  }, waiting);
  expect(sent).toBeLessThan(32 * 2 ** 20);
});

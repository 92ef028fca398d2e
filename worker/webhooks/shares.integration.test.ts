import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { PgBoss } from 'pg-boss';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { INSPECT_URL } from '#server/core/webhooks/inspect.ts';
import { activatePlan } from '#server/plans/activate-plan.ts';
import { log } from '#server/platform/log.ts';
import { openGuardedClient } from '#server/platform/media/guarded-client.ts';
import { startBoss } from '#server/platform/queue/boss.ts';
import { createTestDatabase } from '#server/testing/database.ts';
import { CLI, IN_A_MONTH, makeAccount, makeNumber, queueMessage } from '#server/testing/domain.ts';
import { changeEndpoint, createEndpoint, replay, sendTestEvent } from '#server/webhooks/endpoints.ts';
import { clientOf } from './client-of.ts';
import { WebhookDispatcher } from './dispatcher.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let boss: PgBoss;
let server: Server;
let host: string;
let dispatcher: WebhookDispatcher | undefined;
/** The paths of the requests that arrived, in order. */
let received: string[];
/** Requests to `/slow` are answered once this resolves. */
let release: PromiseWithResolvers<void>;

beforeAll(async () => {
  database = await createTestDatabase();
  boss = await startBoss(database, 'worker');
  server = createServer(async ({ url = '' }, response) => {
    received.push(url);
    if (url.startsWith('/slow')) await release.promise;
    response.end('noted');
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
beforeEach(() => {
  received = [];
  release = Promise.withResolvers();
});
afterEach(async () => {
  release.resolve();
  await dispatcher?.stop();
  await database.sql`delete from webhook_endpoints`;
});

async function startWorker(): Promise<void> {
  dispatcher = new WebhookDispatcher({
    ...{ database, boss, log },
    open: (url) =>
      url === INSPECT_URL
        ? clientOf(url)
        : openGuardedClient(url, { allowHosts: [host], ports: [], answerMs: 60_000, connections: 8 }),
  });
  await dispatcher.start();
}

/** Endpoints of an account at the receiver, by number as many as a number may have, each with an event that is due. */
async function endpoints(path: string, { numbers, accountId }: { numbers: number; accountId: string }) {
  const context = { database, accountId, actor: CLI };
  for (let n = 0; n < numbers; n++) {
    const numberId = await makeNumber(database, { accountId });
    for (let m = 0; m < 10; m++) {
      const { id } = await createEndpoint(context, { numberId, url: 'https://example.com/' });
      await database.sql`update webhook_endpoints set url = ${`http://${host}${path}`} where id = ${id}`;
      await sendTestEvent(context, { endpointId: id });
    }
  }
}

/** One event of another customer. */
async function otherEvent(): Promise<void> {
  const { accountId } = await makeAccount(database);
  const context = { database, accountId, actor: CLI };
  const { id } = await createEndpoint(context, { numberId: null, url: 'https://example.com/' });
  await database.sql`update webhook_endpoints set url = ${`http://${host}/other`} where id = ${id}`;
  await sendTestEvent(context, { endpointId: id });
}
const count = (path: string) => received.filter((one) => one === path).length;
const soon = { timeout: 3_000, interval: 10 };

test('the slow endpoints of one account do not delay another account’s events', async () => {
  await endpoints('/slow', { numbers: 12, accountId: (await makeAccount(database)).accountId });
  await startWorker();
  await vi.waitFor(() => expect(count('/slow')).toBeGreaterThan(20), { timeout: 15_000 });
  const heldFrom = performance.now();
  await otherEvent();
  await vi.waitFor(() => expect(count('/other')).toBe(1), soon);
  const heldMs = Math.floor(performance.now() - heldFrom);
  release.resolve();
  await vi.waitFor(() => expect(count('/slow')).toBe(120), { timeout: 30_000 });
  const kept = await database.sql`select from webhook_endpoints where last_duration_ms >= ${heldMs}`;
  expect(kept.length).toBeGreaterThan(20);
});

test('endpoints that were slow before, of many accounts, leave the places of the others free', async () => {
  for (let n = 0; n < 8; n++)
    await endpoints('/slow', { numbers: 2, accountId: (await makeAccount(database)).accountId });
  await database.sql`update webhook_endpoints set last_duration_ms = 9000`;
  await startWorker();
  await vi.waitFor(() => expect(count('/slow')).toBeGreaterThan(7), { timeout: 15_000 });
  for (let n = 0; n < 30; n++) await otherEvent();
  await vi.waitFor(() => expect(count('/other')).toBe(30), soon);
  expect(count('/slow')).toBeLessThanOrEqual(16);
});

test('an endpoint that was slow and answers fast again is not slow any more, and gets all its events', async () => {
  const { accountId } = await makeAccount(database);
  const context = { database, accountId, actor: CLI };
  const numberId = await makeNumber(database, { accountId });
  const { id } = await createEndpoint(context, { numberId, url: 'https://example.com/' });
  await database.sql`
    update webhook_endpoints set url = ${`http://${host}/again`}, last_duration_ms = 9000 where id = ${id}`;
  for (let n = 0; n < 20; n++) await queueMessage(database, { accountId, numberId });
  await database.sql`update messages set status = 'cancelled' where number_id = ${numberId}`;
  await startWorker();
  await vi.waitFor(() => expect(count('/again')).toBe(20), { timeout: 15_000 });
  await vi.waitFor(async () => {
    const [row] = await database.sql<{ ms: number }[]>`select last_duration_ms as ms from webhook_endpoints`;
    expect(row?.ms).toBeLessThan(1_000);
  }, soon);
});

test('without a plan, events go to the inspector only; those of other endpoints wait for a plan', async () => {
  const { accountId, userId } = await makeAccount(database);
  const context = { database, accountId, actor: CLI };
  const numberId = await makeNumber(database, { accountId });
  const { id } = await createEndpoint(context, { numberId, url: 'https://example.com/' });
  await database.sql`update webhook_endpoints set url = ${`http://${host}/out`} where id = ${id}`;
  const { eventId } = await sendTestEvent(context, { endpointId: id });
  await database.sql`update subscriptions set ended_at = clock_timestamp() where account_id = ${accountId}`;
  const inspector = await createEndpoint(context, { numberId, url: INSPECT_URL });
  await sendTestEvent(context, { endpointId: inspector.id });
  await startWorker();
  const states = async () =>
    (await database.sql<{ state: string }[]>`select state from webhook_deliveries order by id`).map(
      ({ state }) => state,
    );
  await vi.waitFor(async () => expect(await states()).toEqual(['pending', 'delivered']), soon);
  const refused = { code: 'plan_inactive' };
  const url = 'https://example.org/';
  await expect(createEndpoint(context, { numberId, url })).rejects.toMatchObject(refused);
  await expect(changeEndpoint(context, { endpointId: inspector.id }, { url })).rejects.toMatchObject(refused);
  await expect(sendTestEvent(context, { endpointId: id })).rejects.toMatchObject(refused);
  await expect(replay(context, { endpointId: id }, { eventId })).rejects.toMatchObject(refused);
  expect(received).toEqual([]);
  await activatePlan(
    { database, accountId, actor: { kind: 'user', userId, address: null } },
    { numbersIncluded: 1, paidUntil: IN_A_MONTH },
  );
  await vi.waitFor(() => expect(received).toEqual(['/out']), { timeout: 15_000 });
});

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { INSPECT_URL } from '#server/core/webhooks/inspect.ts';
import { createTestDatabase } from '#server/testing/database.ts';
import { CLI, linkAsWorker, makeAccount, makeNumber, queueMessage } from '#server/testing/domain.ts';
import { changeEndpoint, createEndpoint, replay, sendTestEvent } from './endpoints.ts';
import { deliveryDetail, deliveryLog, listEndpointsWithHealth } from './log.ts';
import { type Attempted, claimDeliveries, recordAttempts } from './queries/deliveries.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let accountId: string;
let numberId: string;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  ({ accountId } = await makeAccount(database));
  numberId = await makeNumber(database, { accountId });
  await linkAsWorker(database, { numberId });
});

const context = () => ({ database, accountId, actor: CLI });
const endpoint = async () =>
  (await createEndpoint(context(), { numberId: null, url: 'https://example.com/' })).id;
async function change(): Promise<string> {
  const messageId = await queueMessage(database, { accountId, numberId });
  await database.sql`update messages set status = 'cancelled' where id = ${messageId}`;
  return messageId;
}

/** Delivers the pending events: every request is answered with `status`. */
async function deliver(endpointId: string, status: number): Promise<void> {
  const claimed = await claimDeliveries(database, { endpointId, most: 100, leaseMs: 1000 });
  const error = status === 200 ? null : `The endpoint returned ${status}.`;
  const attempted = claimed.map(
    ({ deliveryId, eventId }): Attempted => ({
      ...{ deliveryId, eventId, endpointId, durationMs: 12, status, answer: 'noted', error },
      ...{ requestHeaders: { 'webhook-id': 'evt' }, retryInMs: error === null ? null : 1000, restMs: null },
    }),
  );
  await recordAttempts(database, attempted);
}

test('the log has each event with its body, its requests and their answers', async () => {
  const endpointId = await endpoint();
  const messageId = await change();
  await deliver(endpointId, 503);
  const { rows } = await deliveryLog(context(), { endpointId, failed: false });
  expect(rows).toMatchObject([
    {
      type: 'message.cancelled',
      subject: messageId,
      state: 'pending',
      attempts: 1,
      lastStatus: 503,
      lastMs: 12,
    },
  ]);
  const [row] = rows;
  const detail = await deliveryDetail(context(), { endpointId, eventId: row?.eventId ?? '' });
  expect(JSON.parse(detail.body)).toMatchObject({ type: 'message.cancelled', data: { id: messageId } });
  expect(detail.requests).toMatchObject([
    {
      status: 503,
      answer: 'noted',
      error: 'The endpoint returned 503.',
      requestHeaders: { 'webhook-id': 'evt' },
    },
  ]);
});

test('the log filters events that were not delivered, and continues page by page', async () => {
  const endpointId = await endpoint();
  await change();
  await deliver(endpointId, 200);
  const failed = await change();
  await deliver(endpointId, 500);
  expect((await deliveryLog(context(), { endpointId, failed: true })).rows).toMatchObject([
    { subject: failed },
  ]);
  for (let n = 0; n < 50; n += 1) await change();
  const first = await deliveryLog(context(), { endpointId, failed: false });
  expect(first.rows).toHaveLength(50);
  const rest = await deliveryLog(context(), { endpointId, failed: false, before: first.next ?? 0 });
  expect([rest.rows.length, rest.next]).toEqual([2, null]);
});

test('an endpoint is listed with its failure rate and the events that wait', async () => {
  const endpointId = await endpoint();
  await change();
  await deliver(endpointId, 200);
  await change();
  await deliver(endpointId, 500);
  expect(await listEndpointsWithHealth(context())).toMatchObject([
    { id: endpointId, requests: 2, failed: 1, waiting: 1 },
  ]);
});

test('another account sees neither the log nor an event', async () => {
  const endpointId = await endpoint();
  await change();
  const [row] = (await deliveryLog(context(), { endpointId, failed: false })).rows;
  ({ accountId } = await makeAccount(database));
  await expect(deliveryLog(context(), { endpointId, failed: false })).rejects.toMatchObject({
    code: 'not_found',
  });
  const eventId = row?.eventId ?? '';
  await expect(deliveryDetail(context(), { endpointId, eventId })).rejects.toMatchObject({
    code: 'not_found',
  });
});

test('a test event goes to its endpoint only, whatever that subscribes to, and can be replayed', async () => {
  const { id: endpointId } = await createEndpoint(context(), {
    ...{ numberId: null, url: 'https://example.com/', events: ['message.read'] },
  });
  const other = await endpoint();
  const { eventId } = await sendTestEvent(context(), { endpointId });
  const logOf = async (id: string) => (await deliveryLog(context(), { endpointId: id, failed: false })).rows;
  expect(await logOf(endpointId)).toMatchObject([{ eventId, type: 'webhook.test', state: 'pending' }]);
  expect(await logOf(other)).toEqual([]);
  await deliver(endpointId, 200);
  expect(await replay(context(), { endpointId }, { eventId })).toEqual({ events: 1 });
  expect(await logOf(endpointId)).toMatchObject([{ state: 'pending', attempts: 0 }]);
  await expect(replay(context(), { endpointId: other }, { eventId })).rejects.toMatchObject({
    code: 'not_found',
  });
});

test('an endpoint that is switched off drops what it waits for, and gets no test event', async () => {
  const endpointId = await endpoint();
  await change();
  await changeEndpoint(context(), { endpointId }, { active: false });
  expect((await deliveryLog(context(), { endpointId, failed: false })).rows).toMatchObject([
    { state: 'dropped' },
  ]);
  await expect(sendTestEvent(context(), { endpointId })).rejects.toMatchObject({
    code: 'invalid_parameters',
  });
});

test('only the events of a sandbox number can be inspected', async () => {
  const inspect = (id: string | null) => createEndpoint(context(), { numberId: id, url: INSPECT_URL });
  await database.sql`update numbers set network = 'whatsapp' where id = ${numberId}`;
  for (const id of [numberId, null])
    await expect(inspect(id)).rejects.toMatchObject({ code: 'invalid_parameters' });
  await database.sql`update numbers set network = 'sandbox' where id = ${numberId}`;
  expect(await inspect(numberId)).toMatchObject({ url: INSPECT_URL, active: true });
});

import { readdir, readFile } from 'node:fs/promises';
import os from 'node:os';
import type { Worker } from 'node:worker_threads';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { INSPECT_URL } from '#server/core/webhooks/inspect.ts';
import { log } from '#server/platform/log.ts';
import { createTestDatabase } from '#server/testing/database.ts';
import { CLI, linkAsWorker, makeAccount, makeNumber, queueMessage } from '#server/testing/domain.ts';
import { createEndpoint } from '#server/webhooks/endpoints.ts';
import { WebhookThread } from './thread.ts';

const waiting = { timeout: 15_000, interval: 20 };

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let webhooks: WebhookThread;
/** Every thread that this process has started. */
const threads: Worker[] = [];
const noteThread = (thread: Worker) => threads.push(thread);

beforeAll(async () => {
  database = await createTestDatabase();
  process.on('worker', noteThread);
});
afterEach(() => webhooks.stop());
afterAll(async () => {
  process.off('worker', noteThread);
  await database.drop();
});
beforeEach(async () => {
  threads.length = 0;
  await database.sql`delete from webhook_endpoints`;
  webhooks = new WebhookThread({ database, databaseUrl: database.url, log });
});

/** Cancels a message of a new account, and resolves when its event is delivered. */
async function deliverOne(): Promise<void> {
  const { accountId } = await makeAccount(database);
  const numberId = await makeNumber(database, { accountId });
  await linkAsWorker(database, { numberId });
  await database.sql`update numbers set network = 'sandbox' where id = ${numberId}`;
  await createEndpoint({ database, accountId, actor: CLI }, { numberId, url: INSPECT_URL });
  const messageId = await queueMessage(database, { accountId, numberId });
  await database.sql`update messages set status = 'cancelled' where id = ${messageId}`;
  await vi.waitFor(async () => {
    const states = await database.sql`
      select d.state from webhook_deliveries d join webhook_events e on e.id = d.event_id where e.account_id = ${accountId}`;
    expect(states).toEqual([{ state: 'delivered' }]);
  }, waiting);
}

/** The priorities of this process's threads, as Linux lists them. */
async function priorities(): Promise<number[]> {
  const ids = await readdir('/proc/self/task');
  const stats = await Promise.all(ids.map((id) => readFile(`/proc/self/task/${id}/stat`, 'utf8')));
  // The 19th field is the nice value. The second one may contain spaces, and ends with the only parenthesis.
  return stats.map((stat) => Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]));
}

test('a thread of lower priority delivers events', async () => {
  await webhooks.start();
  expect(threads).toEqual([]);
  await deliverOne();
  const lower = Math.min(os.getPriority() + 5, os.constants.priority.PRIORITY_LOW);
  const all = await priorities();
  expect(all).toContain(lower);
  expect(all).toContain(os.getPriority());
});

test('the thread starts with the first endpoint, or with the worker where one exists', async () => {
  const { accountId } = await makeAccount(database);
  const url = 'https://example.com/';
  await webhooks.start();
  await createEndpoint({ database, accountId, actor: CLI }, { numberId: null, url });
  await vi.waitFor(() => expect(threads).toHaveLength(1), waiting);
  await webhooks.stop();
  webhooks = new WebhookThread({ database, databaseUrl: database.url, log });
  await webhooks.start();
  await vi.waitFor(() => expect(threads).toHaveLength(2), waiting);
});

test('a thread that has ended is started again, and delivers', async () => {
  await webhooks.start();
  await deliverOne();
  await threads[0]?.terminate();
  await vi.waitFor(() => expect(threads).toHaveLength(2), waiting);
  await deliverOne();
});

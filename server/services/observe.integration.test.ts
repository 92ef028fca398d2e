import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase } from '#server/db/testing.ts';
import { metrics } from '#server/metrics/metrics.ts';
import { writeProcess } from '#server/store/processes.ts';
import { observeInstallation, observePool } from './observe.ts';
import { linkAsWorker, makeAccount, makeNumber, queueMessage } from './testing.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test('numbers by state, queues, workers and the pool are told as they are when somebody asks', async () => {
  const { accountId } = await makeAccount(database);
  const numberId = await makeNumber(database, { accountId });
  await linkAsWorker(database, { numberId });
  await makeNumber(database, { accountId });
  const messageId = await queueMessage(database, { accountId, numberId });
  await database.sql`
    update messages set created_at = clock_timestamp() - interval '90 seconds', lane = 'async' where id = ${messageId}`;
  await writeProcess(database, { id: 'wrk_1', kind: 'worker', host: 'here', pid: 1 });
  observePool(database);
  observeInstallation(database);
  const text = await metrics().registry.metrics();
  expect(text).toContain('wirebird_numbers{status="CONNECTED"} 1');
  expect(text).toContain('wirebird_numbers{status="UNLINKED"} 1');
  expect(text).toContain('wirebird_queue_messages{lane="async"} 1');
  expect(text).toContain('wirebird_queue_messages{lane="plain"} 0');
  expect(text).toContain('wirebird_workers 1');
  const oldest = Number(/wirebird_queue_oldest_seconds\{lane="async"\} ([\d.]+)/.exec(text)?.[1]);
  expect(oldest).toBeGreaterThanOrEqual(90);
  expect(text).toMatch(/wirebird_database_connections\{state="idle"\} \d/);
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, openDatabase } from '#server/platform/db/client.ts';
import { createTestDatabase } from '#server/testing/database.ts';
import { createSendQueue, prepareWakeUp, startBoss } from './boss.ts';

const CONNECTIONS = 2;

let other: Awaited<ReturnType<typeof createTestDatabase>>;
let database: Database;
beforeAll(async () => {
  other = await createTestDatabase();
  database = openDatabase(other.url, CONNECTIONS);
});
afterAll(async () => {
  await database.close();
  await other.drop();
});

test('messages on queues that this process has never seen are enqueued, though each connection is in a transaction', async () => {
  const client = await startBoss(database, 'client');
  const creator = await startBoss(other, 'client');
  try {
    const numberIds = Array.from({ length: CONNECTIONS * 2 }, (_, n) => `num_${n}`);
    for (const numberId of numberIds) await createSendQueue(creator, numberId);
    await Promise.all(
      numberIds.map((numberId) =>
        database.sql.begin(async (sql) =>
          (await prepareWakeUp(client, { numberId, messageId: 'msg_1' }))(sql),
        ),
      ),
    );
    const [row] = await other.sql<{ n: number }[]>`select count(*)::int as n from pgboss.job`;
    expect(row?.n).toBe(numberIds.length);
  } finally {
    await Promise.all([client, creator].map((boss) => boss.stop({ graceful: false })));
  }
}, 8000);

test('one prepared statement enqueues for all numbers, each on its own queue', async () => {
  const single = openDatabase(other.url, 1);
  const boss = await startBoss(single, 'client');
  try {
    for (const numberId of ['num_one', 'num_two']) {
      await createSendQueue(boss, numberId);
      const wakeUp = await prepareWakeUp(boss, { numberId, messageId: 'msg_2' });
      await single.sql.begin(async (sql) => wakeUp(sql));
    }
    const queues = await other.sql<{ name: string }[]>`
      select name from pgboss.job where data->>'messageId' = 'msg_2' order by name`;
    expect(queues.map(({ name }) => name)).toEqual(['send.num_one', 'send.num_two']);
    const prepared = await single.sql`
      select 1 from pg_prepared_statements where statement like '%INSERT INTO pgboss.%'`;
    expect(prepared).toHaveLength(1);
  } finally {
    await boss.stop({ graceful: false });
    await single.close();
  }
});

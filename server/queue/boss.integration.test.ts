import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, openDatabase } from '#server/db/client.ts';
import { createTestDatabase } from '#server/db/testing.ts';
import { createSendQueue, enqueueSend, startBoss } from './boss.ts';

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
        database.db.transaction((tx) => enqueueSend(client, tx, { numberId, messageId: 'msg_1' })),
      ),
    );
    const [row] = await other.sql<{ n: number }[]>`select count(*)::int as n from pgboss.job`;
    expect(row?.n).toBe(numberIds.length);
  } finally {
    await Promise.all([client, creator].map((boss) => boss.stop({ graceful: false })));
  }
}, 8000);

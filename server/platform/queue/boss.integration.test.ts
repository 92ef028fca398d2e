import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '#server/platform/db/client.ts';
import { testDatabase } from '#server/testing/database.ts';
import { type WithSql, withSql } from '#server/testing/sql.ts';
import { enqueue, startBoss, workQueue } from './boss.ts';

const CONNECTIONS = 2;

const other = testDatabase();
let database: WithSql;
beforeAll(async () => {
  database = withSql(openDatabase(other.url, CONNECTIONS));
});
afterAll(() => database.close());

const numberIdsOf = async () =>
  (await other.sql<{ id: string }[]>`select data->>'numberId' as id from pgboss.job order by 1`).map(
    ({ id }) => id,
  );

test('a process that has just started enqueues jobs even while each connection is in a transaction', async () => {
  const boss = await startBoss(database, 'client');
  try {
    const numberIds = Array.from({ length: CONNECTIONS * 2 }, (_, n) => `num_${n}`);
    await Promise.all(
      numberIds.map((numberId) => database.db.transaction((tx) => enqueue(boss, 'send', { numberId }, tx))),
    );
    expect(await numberIdsOf()).toEqual(numberIds);
    const prepared = await database.sql`
      select 1 from pg_prepared_statements where statement like '%INSERT INTO pgboss.%'`;
    expect(prepared).toHaveLength(1);
  } finally {
    await boss.stop({ graceful: false });
  }
}, 8000);

test('a job exists if and only if its transaction was committed, and is pulled once', async () => {
  const boss = await startBoss(database, 'worker');
  try {
    const before = await numberIdsOf();
    const rolledBack = database.db.transaction(async (tx) => {
      await enqueue(boss, 'send', { numberId: 'num_undone' }, tx);
      throw new Error('not after all');
    });
    await expect(rolledBack).rejects.toThrow('not after all');
    await database.db.transaction((tx) => enqueue(boss, 'send', { numberId: 'num_kept' }, tx));
    expect(await numberIdsOf()).toEqual([...before, 'num_kept'].sort());

    const pulled: string[] = [];
    const all = Promise.withResolvers<void>();
    await workQueue(boss, 'send', async (jobs) => {
      pulled.push(...jobs.map(({ numberId }) => numberId));
      if (pulled.includes('num_kept')) all.resolve();
    });
    await all.promise;
    await expect
      .poll(() => other.sql`select 1 from pgboss.job where name = 'send' and state <> 'completed'`)
      .toEqual([]);
    expect(pulled.sort()).toEqual([...before, 'num_kept'].sort());
  } finally {
    await boss.stop({ graceful: false });
  }
});

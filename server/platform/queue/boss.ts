import { type SQL, sql } from 'drizzle-orm';
import { type Db as BossDb, fromDrizzle, PgBoss } from 'pg-boss';
import type { Database, Tx } from '#server/platform/db/client.ts';
import { log } from '#server/platform/log.ts';
import { singleton } from '#server/platform/singleton.ts';
import { catalog, type Payload, type QueueEntry, type QueueName } from './catalog.ts';

/** pg-boss deletes finished jobs once a day by default. */
const MAINTENANCE_SECONDS = 600;

/** pg-boss over our pool. */
function bossDatabase({ bossPool }: Database): BossDb {
  return {
    async executeSql(text, values) {
      if (values?.length) return bossPool.connections.run({ text, values });
      // pg-boss's migrations are several statements with their own transaction: one connection, no parameters.
      const { connection, release } = await bossPool.reserve();
      let reusable = false;
      try {
        // With several statements the driver resolves with their results.
        const results = [await connection.run({ text })].flat();
        reusable = true;
        return { rows: results.flatMap(({ rows }) => rows) };
      } finally {
        // After a failure the connection may still be inside that transaction.
        release({ reusable });
      }
    },
  };
}

/**
 * Starts pg-boss with every queue of the catalog. `role: 'worker'` also supervises queues and creates scheduled
 * jobs; `role: 'client'` only enqueues.
 */
export async function startBoss(database: Database, role: 'worker' | 'client'): Promise<PgBoss> {
  const worker = role === 'worker';
  const boss = new PgBoss({
    db: bossDatabase(database),
    schedule: worker,
    supervise: worker,
    maintenanceIntervalSeconds: MAINTENANCE_SECONDS,
  });
  boss.on('error', (error) => log.error({ err: error }, 'pg-boss'));
  boss.on('warning', (warning) => log.warn({ warning: warning.message }, 'pg-boss'));
  await boss.start();
  for (const [name, { queue }] of Object.entries<QueueEntry>(catalog)) await boss.createQueue(name, queue);
  return boss;
}

const client = singleton<{ boss?: Promise<PgBoss> }>('boss', () => ({}));

/** This process's pg-boss for enqueuing, started on first use. A failed start is tried again. */
export function clientBoss(database: Database): Promise<PgBoss> {
  const own = client();
  own.boss ??= startBoss(database, 'client').catch((error: unknown) => {
    delete own.boss;
    throw error;
  });
  return own.boss;
}

/** Stops {@link clientBoss} if it was started. */
export async function stopClientBoss(): Promise<void> {
  const own = client();
  const running = own.boss;
  delete own.boss;
  await running?.then((boss) => boss.stop({ graceful: false })).catch(() => {});
}

/**
 * Enqueues a job in the transaction `tx`. Resolves as soon as the statement is sent, so that the commit can be
 * sent with it. The commit fails if the statement fails.
 */
export function enqueue<Name extends QueueName>(
  boss: PgBoss,
  name: Name,
  payload: Payload<Name>,
  tx: Tx,
): Promise<void> {
  return new Promise((sent, failed) => {
    const execute = (statement: SQL) => {
      const result = tx.execute(statement).then((found) => found);
      sent();
      return result;
    };
    boss.send(name, payload, { db: fromDrizzle({ execute }, sql) }).catch(failed);
  });
}

/**
 * Handles the jobs of a queue, and schedules them if the queue has a `cron`. `handle` gets a batch of payloads.
 */
export async function workQueue<Name extends QueueName>(
  boss: PgBoss,
  name: Name,
  handle: (payloads: Payload<Name>[]) => Promise<void>,
): Promise<void> {
  const { cron, work }: QueueEntry = catalog[name];
  if (cron) await boss.schedule(name, cron, {});
  await boss.work<Payload<Name>>(name, work, (jobs) => handle(jobs.map(({ data }) => data)));
}

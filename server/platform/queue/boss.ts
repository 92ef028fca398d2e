import { type Db as BossDb, PgBoss } from 'pg-boss';
import type { Database } from '#server/platform/db/client.ts';
import type { Sql } from '#server/platform/db/sql.ts';
import { log } from '#server/platform/log.ts';
import { singleton } from '#server/platform/singleton.ts';
import { catalog, type Payload, type QueueEntry, type QueueName } from './catalog.ts';

/** pg-boss deletes finished jobs once a day by default. */
const MAINTENANCE_SECONDS = 600;

/** pg-boss over our pool. */
function bossDatabase({ bossSql }: Database): BossDb {
  return {
    async executeSql(text, values) {
      if (values?.length) return { rows: await bossSql.unsafe(text, values) };
      // pg-boss's migrations are several statements with their own transaction: one connection, no parameters.
      const connection = await bossSql.reserve();
      let reusable = false;
      try {
        const rows = await connection.unsafe(text);
        reusable = true;
        return { rows };
      } finally {
        // After a failure the connection may still be inside that transaction.
        connection.release({ reusable });
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
 * Enqueues a job in the transaction `sql`. Resolves as soon as the statement is sent, so that the commit can be
 * sent with it. The commit fails if the statement fails.
 */
export function enqueue<Name extends QueueName>(
  boss: PgBoss,
  name: Name,
  payload: Payload<Name>,
  sql: Sql,
): Promise<void> {
  return new Promise((sent, failed) => {
    const executeSql = async (text: string, values?: unknown[]) => {
      const rows = sql.unsafe(text, values).then((found) => found);
      sent();
      return { rows: await rows };
    };
    boss.send(name, payload, { db: { executeSql } }).catch(failed);
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

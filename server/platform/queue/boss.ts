import { type Db as BossDb, PgBoss } from 'pg-boss';
import type { Database } from '#server/platform/db/client.ts';
import type { Sql, Statement } from '#server/platform/db/sql.ts';
import { log } from '#server/platform/log.ts';
import { singleton } from '#server/platform/singleton.ts';
import { catalog } from './catalog.ts';

const GATHER_MS = 500;

/** pg-boss over our own driver, and over the one LISTEN connection for everything in a process. */
function bossDatabase(database: Database): BossDb {
  return {
    async executeSql(text, values) {
      if (values?.length) {
        const shared = forAnyQueue(text, values);
        return { rows: [...(await database.bossSql.unsafe(shared.text, shared.values))] };
      }
      // Its migrations are several statements with a transaction of their own: one connection, no parameters.
      const connection = await database.bossSql.reserve();
      let reusable = false;
      try {
        const rows = await connection.unsafe(text);
        reusable = true;
        return { rows };
      } finally {
        // After a failure it may still be inside that transaction.
        connection.release({ reusable });
      }
    },
    async listen(channel, onNotification, onReconnect) {
      let first = true;
      const listening = await database.sql.listen(channel, gathering(onNotification), () => {
        if (!first) onReconnect();
        first = false;
      });
      return { close: () => listening.unlisten() };
    },
  };
}

const SEND_QUEUE = /'(send\.\w+)'/g;

/**
 * pg-boss writes a number's queue into its statements, so that PostgreSQL would plan each of them again: with the
 * queue as a parameter, one that is prepared serves all numbers.
 */
function forAnyQueue(text: string, values: readonly unknown[]): { text: string; values: unknown[] } {
  const all = [...values];
  const shared = text.replace(SEND_QUEUE, (_, queue: string) => {
    const at = all.indexOf(queue, values.length);
    return `$${at < 0 ? all.push(queue) : at + 1}::text`;
  });
  return { text: shared, values: all };
}

/**
 * Calls `onNotification` once for all that tell the same within {@link GATHER_MS}. The row's own notification
 * has roused the number's worker by then; taking the jobs in heaps keeps them out of a message's way.
 */
function gathering(onNotification: (payload: string) => void): (payload: string) => void {
  const gathered = new Set<string>();
  return (payload) => {
    if (gathered.has(payload)) return;
    gathered.add(payload);
    setTimeout(() => {
      gathered.delete(payload);
      onNotification(payload);
    }, GATHER_MS);
  };
}

/**
 * Starts pg-boss. `role: 'worker'` works queues, supervises them and is woken by notifications;
 * `role: 'client'` only enqueues.
 */
export async function startBoss(database: Database, role: 'worker' | 'client'): Promise<PgBoss> {
  const worker = role === 'worker';
  const boss = new PgBoss({
    db: bossDatabase(database),
    schedule: worker,
    supervise: worker,
    useListenNotify: worker,
  });
  boss.on('error', (error) => log.error({ err: error }, 'pg-boss'));
  boss.on('warning', (warning) => log.warn({ warning: warning.message }, 'pg-boss'));
  await boss.start();
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

/** Stops {@link clientBoss} where it was started. */
export async function stopClientBoss(): Promise<void> {
  const own = client();
  const running = own.boss;
  delete own.boss;
  await running?.then((boss) => boss.stop({ graceful: false })).catch(() => {});
}

/** Makes a number's queue. Safe to repeat. */
export async function createSendQueue(boss: PgBoss, numberId: string): Promise<void> {
  await boss.createQueue(catalog.send.queueOf(numberId), catalog.send.queue);
}

/**
 * Prepares a message's wake-up, to be enqueued by the returned statement inside the transaction that inserts the
 * message: both happen, or neither.
 */
export async function prepareWakeUp(
  boss: PgBoss,
  params: { numberId: string; messageId: string },
): Promise<(sql: Sql) => Statement<unknown[]>> {
  let statement = { text: '', values: [] as unknown[] };
  const db: BossDb = {
    async executeSql(text, values = []) {
      statement = forAnyQueue(text, values);
      return { rows: [{ id: params.messageId }] };
    },
  };
  await boss.send(catalog.send.queueOf(params.numberId), { messageId: params.messageId }, { db });
  return (sql) => sql.unsafe<unknown[]>(statement.text, statement.values);
}

/** Works a number's queue; `wake` is called for each heap of wake-ups. Returns how to stop. */
export async function workSendQueue(
  boss: PgBoss,
  numberId: string,
  wake: () => void,
): Promise<{ workId: string; stop(): Promise<void> }> {
  const queue = catalog.send.queueOf(numberId);
  const workId = await boss.work(queue, catalog.send.work, async () => wake());
  return { workId, stop: () => boss.offWork(queue, { wait: false }) };
}

/** Has a job of the catalog filed by its schedule and works it here; `handle` runs once at a time in the installation. */
export async function workSchedule(boss: PgBoss, handle: () => Promise<void>): Promise<void> {
  const { name, cron, queue, work } = catalog.retention;
  await boss.createQueue(name, queue);
  await boss.schedule(name, cron, {});
  await boss.work(name, work, handle);
}

/** Forgets the queue of a number that is gone. */
export async function dropSendQueue(boss: PgBoss, numberId: string): Promise<void> {
  await boss.deleteQueue(catalog.send.queueOf(numberId));
}

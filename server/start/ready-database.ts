import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { requireSecrets } from '#server/operations/secret-fingerprints.ts';
import { type Database, type Db, openDatabase } from '#server/platform/db/client.ts';
import { endInterruptedRestore, isSetAside } from '#server/platform/db/empty-for-restore.ts';
import { migrate, newestMigration } from '#server/platform/db/migrate.ts';
import type { Pool } from '#server/platform/db/pool.ts';
import { describeDatabase } from './describe-database.ts';
import { hasProfiles, noInstallation } from './earlier-installation.ts';
import { type DatabaseInUse, explainDatabase, namedDatabase } from './explain-database.ts';
import { StartError } from './start-error.ts';

const STARTING_UP_LIMIT_MS = 30_000;
/** After this time without an answer, the start says what it waits for. */
const QUIET_MS = 2_000;
/** PostgreSQL is still recovering. */
const CANNOT_CONNECT_NOW = '57P03';

const ENDED_EARLY =
  'The last restore was interrupted after it had replaced the contents. They are restored, but what was lost was not counted';

export interface ReadyOptions extends DatabaseInUse {
  dataDir: string;
  /** Called with what the start waits for: a database that does not answer soon, another process that migrates it, a lock. */
  onWaiting?: (what: string) => void;
  /** Compares no secrets: for the commands that accept other secrets or restore those of a backup. */
  anySecrets?: boolean;
  /** Makes a new installation in an empty database. Default: true. */
  creates?: boolean;
  /** For the restore itself, which has set the earlier contents aside. */
  replacing?: boolean;
}

/**
 * Prepares a database before any part of the product uses it: it can be reached, keeps sessions, is UTF8, belongs to this
 * installation, has this version's schema and was made with these secrets. What an interrupted restore replaced is put back,
 * or deleted if the restore had committed.
 *
 * @throws StartError with what is wrong and what to do.
 */
export async function readyDatabase(options: ReadyOptions): Promise<void> {
  const database = openDatabase(options.url, 1);
  try {
    await reach(database, options);
    await requireSessions(database, namedDatabase(options.url));
    await requireEncoding(database, options);
    if (!options.replacing) await requireWholeContents(database, options);
    await requireNoStranger(database, options);
    if (options.creates === false && (await newestMigration(database.db)) === null)
      throw new StartError(noInstallation(describeDatabase(options.url), 'DATABASE_URL'));
    await migrate(options.url, options.onWaiting && { onWaiting: options.onWaiting });
    if (!options.anySecrets) await requireSecrets({ database });
  } catch (error) {
    const problem = explainDatabase(error, options);
    if (problem === null) throw error;
    throw new StartError(problem, { cause: error });
  } finally {
    await database.close();
  }
}

async function reach(database: Database, { url, place, onWaiting }: ReadyOptions): Promise<void> {
  const what = place === null ? namedDatabase(url) : `The embedded database in ${place}`;
  const answered = new AbortController();
  void delay(QUIET_MS, undefined, answered).then(
    () => onWaiting?.(`${what} has not answered yet; still waiting`),
    () => {},
  );
  const until = performance.now() + STARTING_UP_LIMIT_MS;
  try {
    for (;;) {
      try {
        await database.db.run(sql`select 1`);
        return;
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        if (code !== CANNOT_CONNECT_NOW || performance.now() > until) throw error;
        await delay(500);
      }
    }
  } finally {
    answered.abort();
  }
}

/** Messages are in every language, and another encoding would refuse some of them. */
async function requireEncoding({ db }: Database, { url }: ReadyOptions): Promise<void> {
  // SQL: there is no table to select from.
  const [row] = await db.run<{ encoding: string }>(
    sql`select current_setting('server_encoding') as encoding`,
  );
  if (row?.encoding === 'UTF8') return;
  throw new StartError(
    `${namedDatabase(url)} has the encoding ${row?.encoding}. Messages need UTF8. Create the database with "createdb -E UTF8 -T template0 NAME".`,
  );
}

async function requireWholeContents({ db }: Database, { url, onWaiting }: ReadyOptions): Promise<void> {
  if (!(await isSetAside(db))) return;
  const ended = await endInterruptedRestore(url);
  if (ended === 'deleted') onWaiting?.(ENDED_EARLY);
  if (ended !== null) return;
  throw new StartError(
    `A restore of ${namedDatabase(url)} is running. Nothing was changed. Wait until it has finished, then try again.`,
  );
}

/** Profiles of linked numbers beside an empty database belong to another database. */
async function requireNoStranger({ db }: Database, { url, place, dataDir, anySecrets }: ReadyOptions) {
  if (place !== null || anySecrets || !hasProfiles(dataDir) || (await newestMigration(db)) !== null) return;
  throw new StartError(
    `${namedDatabase(url)} is empty, but ${dataDir}/profiles holds numbers of an earlier installation. Correct DATABASE_URL, or restore a backup with "cli restore". To start over, move the profiles away first.`,
  );
}

interface Pools {
  pool: { reserve(): Promise<{ db: Db; release(how: { reusable: boolean }): void }> };
  bossPool: Pick<Pool, 'db'>;
}

/**
 * Requires that a connection keeps its session. A pooler in transaction mode gives its statements to different connections
 * of the server, so settings, prepared statements and notifications would be lost.
 *
 * @throws StartError for such a pooler. `subject` names the database in its sentence.
 */
export async function requireSessions({ pool, bossPool }: Pools, subject: string): Promise<void> {
  const own = await pool.reserve();
  try {
    await own.db.run(sql`select set_config('wirebird.session', 'kept', false)`);
    // The other transaction occupies the connection of the server that `own` would otherwise get again.
    const kept = await bossPool.db.transaction(async (other) => {
      await other.run(sql`select 1`);
      const [row] = await own.db.run<{ session: string | null }>(sql`
        select current_setting('wirebird.session', true) as session`);
      return row?.session === 'kept';
    });
    if (!kept)
      throw new StartError(
        `${subject} is a pooler that does not keep sessions. Set its pool mode to "session" (PgBouncer: pool_mode = session), or connect to PostgreSQL directly.`,
      );
  } finally {
    own.release({ reusable: true });
  }
}

import { randomBytes } from 'node:crypto';
import path from 'node:path';
import type { PgBoss } from 'pg-boss';
import { openDatabase } from '#server/platform/db/client.ts';
import { migrate } from '#server/platform/db/migrate.ts';
import { homeAt } from '#server/platform/embedded/home.ts';
import { ensurePostgres } from '#server/platform/embedded/postgres.ts';
import { runningServer } from '#server/platform/embedded/server.ts';
import { startBoss } from '#server/platform/queue/boss.ts';
import { settings } from '#server/settings.ts';
import { type WithSql, withSql } from '#server/testing/sql.ts';
import { createDatabase, dropDatabase } from './database-clock.ts';
import { DatabaseProxy } from './database-proxy.ts';
import { SmallVolume } from './small-volume.ts';
import { until } from './until.ts';

export type DatabaseKind = 'embedded' | 'given';

/** A busy machine answers late. */
const CLOCK_SLACK_MS = 60_000;

/** A database of its own, on an embedded server or the given one, with a proxy in front of it for each process. */
export interface WorldDatabase {
  name: string;
  /** Without a proxy. */
  databaseUrl: string;
  database: WithSql;
  boss: PgBoss;
  /** Set if the embedded server lies on a volume of its own. */
  volume: SmallVolume | null;
  lines: { web: DatabaseProxy; worker: DatabaseProxy };
  newLine(): Promise<DatabaseProxy>;
  /** In ms from the true time. */
  moveClock(ms: number): Promise<void>;
  /** Kills and restarts the embedded server; on a given one, ends every other connection instead. */
  restart(): Promise<void>;
}

/** Whatever it starts, it leaves to `cleanup`. */
export async function openWorldDatabase(
  { kind, dataDir, mib }: { kind: DatabaseKind; dataDir: string; mib: number | undefined },
  cleanup: AsyncDisposableStack,
): Promise<WorldDatabase> {
  const serverUrl = kind === 'given' ? settings.databaseUrl : undefined;
  if (kind === 'given' && !serverUrl) throw new Error('--database given needs DATABASE_URL');
  const postgresDir = path.join(dataDir, 'postgres');
  const volume = mib === undefined ? null : new SmallVolume(postgresDir, mib);
  cleanup.defer(() => volume?.remove());
  const embedded = serverUrl ? null : await ensurePostgres(postgresDir, { port: 0 });
  cleanup.defer(() => embedded?.release());
  const server = serverUrl ?? embedded?.url ?? '';
  const name = `wirebird_faults_${randomBytes(4).toString('hex')}`;
  const databaseUrl = await createDatabase(server, name);
  cleanup.defer(() => dropDatabase(server, name));
  await migrate(databaseUrl);
  const database = withSql(openDatabase(databaseUrl, 4));
  cleanup.defer(() => database.close());
  const boss = await startBoss(database, 'client');
  cleanup.defer(() => boss.stop({ graceful: false }));
  const lines = {
    web: await DatabaseProxy.start(databaseUrl),
    worker: await DatabaseProxy.start(databaseUrl),
  };
  cleanup.defer(async () => {
    await Promise.all([lines.web.stop(), lines.worker.stop()]);
  });
  return {
    ...{ name, databaseUrl, database, boss, volume, lines },
    async newLine() {
      const line = await DatabaseProxy.start(databaseUrl);
      cleanup.defer(() => line.stop());
      return line;
    },
    async moveClock(ms) {
      await database.sql`update clock_offset set by = ${`${ms} milliseconds`}::interval`;
      const [clock] = await database.sql<{ at: Date }[]>`select clock_timestamp() as at`;
      const movedMs = (clock?.at.getTime() ?? 0) - Date.now();
      if (Math.abs(movedMs - ms) > CLOCK_SLACK_MS)
        throw new Error(`the product sees a clock ${movedMs} ms from the true one, not ${ms} ms`);
    },
    async restart() {
      if (embedded) {
        const home = homeAt(postgresDir);
        const killed = runningServer(home)?.pid;
        if (killed !== undefined) process.kill(killed, 'SIGKILL');
        await until('another server runs', () => {
          const server = runningServer(home);
          return server?.ready === true && server.pid !== killed;
        });
      } else {
        await database.sql`
          select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name} and pid <> pg_backend_pid()`;
      }
      await until(
        'the database is back',
        async () => (await database.sql`select 1`.catch(() => [])).length === 1,
      );
    },
  };
}

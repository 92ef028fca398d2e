import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { readiness } from '#server/operations/readiness.ts';
import { openDatabase } from '#server/platform/db/client.ts';
import { migrate } from '#server/platform/db/migrate.ts';
import { stopClientBoss } from '#server/platform/queue/boss.ts';
import { runCli } from '#server/testing/cli.ts';
import { createTestDatabase } from '#server/testing/database.ts';
import { startReplicatedServer } from '#server/testing/replicated-server.ts';
import { reserve, withSql } from '#server/testing/sql.ts';
import type { Finding } from './findings.ts';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(path.join(os.tmpdir(), 'wirebird-waits-'));
});
afterAll(async () => {
  await stopClientBoss();
  await rm(dataDir, { recursive: true, force: true });
});

async function doctor(url: string) {
  const { stdout } = await runCli(['doctor', '--json'], {
    ...{ DATABASE_URL: url, DATA_DIR: dataDir, CHROMIUM_PATH: '/nowhere' },
  });
  const { checks } = JSON.parse(stdout) as { checks: Finding[] };
  return (name: string) => checks.find(({ check }) => check === name);
}

test('commits that wait for a synchronous standby are named as such by doctor and /readyz', async () => {
  const server = await startReplicatedServer();
  const database = withSql(openDatabase(server.url, 4));
  try {
    await migrate(server.url);
    expect((await readiness({ database })).parts.database).toBe(true);
    await database.sql`alter system set synchronous_standby_names = 'alder'`;
    await database.sql`select pg_reload_conf()`;
    await expect
      .poll(async () => (await readiness({ database })).reasons.database, { timeout: 20_000 })
      .toBe(
        'Commits wait for a synchronous standby that does not confirm them. Start it again, or take it out of synchronous_standby_names.',
      );
    expect((await readiness({ database })).reasons.worker).toBe('Not known while the database is not ready.');
    const of = await doctor(server.url);
    expect(of('database')).toMatchObject({
      ok: false,
      found: expect.stringMatching(
        /^commits wait for the synchronous standby \(synchronous_standby_names = "alder"\): \d sessions?, for \d+ s$/,
      ),
      todo: expect.stringMatching(/^Start the standby again, or take it out of synchronous_standby_names/),
    });
    expect(of('workers')).toBeUndefined();
    // Their trials do not stay behind in the server.
    await expect
      .poll(async () => {
        const [row] = await database.sql<{ count: number }[]>`
          select count(*)::int as count from pg_stat_activity where wait_event = 'SyncRep'`;
        return row?.count;
      })
      .toBe(0);
  } finally {
    await stopClientBoss();
    await database.close();
    await server.stop();
  }
});

test('a locked table is named by doctor, with whose session has locked it', async () => {
  const database = await createTestDatabase();
  const holder = await reserve(database.pool);
  try {
    await holder`set application_name = 'nightly export'`;
    await holder`set idle_in_transaction_session_timeout = 0`;
    const [session] = await holder<{ pid: number; user: string }[]>`
      select pg_backend_pid() as pid, current_user as "user"`;
    await holder`begin`;
    await holder`lock table processes, numbers in access exclusive mode`;
    const of = await doctor(database.url);
    expect(of('database')).toMatchObject({
      ok: false,
      found: expect.stringMatching(
        new RegExp(
          `^1 session waits for a lock\\. The table \\w+ is locked: PID ${session?.pid}, nightly export, user ${session?.user}, since 20`,
        ),
      ),
      todo: `End that transaction in its session, or with "select pg_terminate_backend(${session?.pid})" in psql.`,
    });
    expect(JSON.stringify(of('workers') ?? of('numbers') ?? '')).not.toContain('Start');
  } finally {
    await holder`rollback`;
    holder.release();
    await stopClientBoss();
    await database.drop();
  }
});

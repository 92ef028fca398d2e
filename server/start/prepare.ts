/**
 * `node server/start/prepare.ts` with DATABASE_URL: brings the database up to date. A process of its own,
 * because the query builder takes more memory than all that the supervisor does, and it is needed once.
 * Sends {@link Prepared}.
 */
import { setTimeout as delay } from 'node:timers/promises';
import postgres from 'postgres';
import { openDatabase } from '../db/client.ts';
import { migrate } from '../db/migrate.ts';
import { firstAdminLink } from '../services/first-admin.ts';
import { requireNotMoved, requireOwnDataDir } from '../services/generation.ts';
import { SettingsError, settings } from '../settings.ts';
import { describeDatabase } from './describe-database.ts';
import type { Prepared } from './prepare-database.ts';

const STARTING_UP_LIMIT_MS = 30_000;
const CONNECT_SECONDS = 5;
/** PostgreSQL's word for "I am still recovering". */
const CANNOT_CONNECT_NOW = '57P03';

const url = settings.databaseUrl ?? '';
const outcome = await prepare().catch((error: Error): Prepared => ({ fault: error.stack ?? error.message }));
process.send?.(outcome, () => process.exit(0));

async function prepare(): Promise<Prepared> {
  const unreachable = await findUnreachable();
  if (unreachable) return { problem: unreachable };
  await migrate(url);
  const database = openDatabase(url, 1);
  try {
    await requireNotMoved(database);
    if (process.argv.includes('--data-dir')) await requireOwnDataDir(database, settings.dataDir);
    if (process.argv.includes('--no-admin-link')) return { adminLink: null };
    return { adminLink: await firstAdminLink(database) };
  } catch (error) {
    if (error instanceof SettingsError) return { problem: error.message };
    throw error;
  } finally {
    await database.close();
  }
}

async function findUnreachable(): Promise<string | null> {
  const until = performance.now() + STARTING_UP_LIMIT_MS;
  for (;;) {
    const sql = postgres(url, { max: 1, connect_timeout: CONNECT_SECONDS, onnotice: () => {} });
    try {
      await sql`select 1`;
      return null;
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code === CANNOT_CONNECT_NOW && performance.now() < until) {
        await delay(500);
        continue;
      }
      return `DATABASE_URL names ${describeDatabase(url)}, which cannot be reached (${message || code}): start that database, correct DATABASE_URL, or leave it out to use the embedded one.`;
    } finally {
      await sql.end({ timeout: 1 });
    }
  }
}

/**
 * `node server/start/prepare.ts [--embedded] [--data-dir] [--no-admin-link]` with DATABASE_URL: brings the
 * database up to date. A separate process, because the query builder takes more memory than the supervisor and is
 * needed only once. Sends {@link Prepared}.
 */

import { requireNotMoved, requireOwnDataDir } from '#server/operations/generation.ts';
import { countStale, putTimeZone } from '#server/operations/keep-counts.ts';
import { firstAdminLink } from '#server/people/first-admin.ts';
import { openDatabase } from '#server/platform/db/client.ts';
import { log } from '#server/platform/log.ts';
import { loggedError } from '#server/platform/log-error.ts';
import { settings } from '../settings.ts';
import { embeddedPlace } from './database.ts';
import { explainDatabase } from './explain-database.ts';
import type { Prepared } from './prepare-database.ts';
import { readyDatabase } from './ready-database.ts';

const { dataDir } = settings;
const url = settings.databaseUrl ?? '';
const place = process.argv.includes('--embedded') ? embeddedPlace(dataDir) : null;
const outcome = await prepare().catch((error: unknown): Prepared => {
  const problem = explainDatabase(error, { url, place });
  if (problem !== null) return { problem };
  log.fatal({ err: error }, 'the database could not be brought up to date');
  return { fault: loggedError(error).message };
});
process.send?.(outcome, () => process.exit(0));

async function prepare(): Promise<Prepared> {
  const onWaiting = (waiting: string) => void process.send?.({ waiting } satisfies Prepared);
  await readyDatabase({ url, place, dataDir, onWaiting });
  const database = openDatabase(url, 1);
  try {
    await requireNotMoved({ database });
    if (process.argv.includes('--data-dir')) await requireOwnDataDir({ database }, dataDir);
    // Only a start does this: a command's shell may have another default time zone.
    await putTimeZone({ database });
    await countStale({ database });
    if (process.argv.includes('--no-admin-link')) return { adminLink: null };
    return { adminLink: await firstAdminLink({ database }) };
  } finally {
    await database.close();
  }
}

/**
 * `node server/start/prepare.ts [--embedded] [--data-dir] [--no-admin-link]` with DATABASE_URL: brings the
 * database up to date. A separate process, because the query builder takes more memory than the supervisor and is
 * needed only once. Sends {@link Prepared}.
 */

import { requireNotMoved, requireOwnDataDir } from '#server/operations/generation.ts';
import { countStale } from '#server/operations/keep-counts.ts';
import { firstAdminLink } from '#server/people/first-admin.ts';
import { openDatabase } from '#server/platform/db/client.ts';
import { SettingsError, settings } from '../settings.ts';
import { embeddedPlace } from './database.ts';
import type { Prepared } from './prepare-database.ts';
import { readyDatabase } from './ready-database.ts';
import { StartError } from './start-error.ts';

const url = settings.databaseUrl ?? '';
const outcome = await prepare().catch((error: Error): Prepared => {
  if (error instanceof StartError || error instanceof SettingsError) return { problem: error.message };
  return { fault: error.stack ?? error.message };
});
process.send?.(outcome, () => process.exit(0));

async function prepare(): Promise<Prepared> {
  const { dataDir } = settings;
  const place = process.argv.includes('--embedded') ? embeddedPlace(dataDir) : null;
  const onWaiting = (waiting: string) => void process.send?.({ waiting } satisfies Prepared);
  await readyDatabase({ url, place, dataDir, onWaiting });
  const database = openDatabase(url, 1);
  try {
    await requireNotMoved({ database });
    if (process.argv.includes('--data-dir')) await requireOwnDataDir({ database }, dataDir);
    // Only a start does this: a command's shell may have another default time zone.
    await countStale({ database });
    if (process.argv.includes('--no-admin-link')) return { adminLink: null };
    return { adminLink: await firstAdminLink({ database }) };
  } finally {
    await database.close();
  }
}

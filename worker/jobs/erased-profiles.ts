import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { erasedAmong } from '#server/accounts/queries/erased-accounts.ts';
import type { Database } from '#server/platform/db/client.ts';
import type { Log } from '#server/platform/log.ts';
import { killProfileBrowsers, profilePath, removeProfile } from '../engine/profile.ts';

const EVERY_MS = 60_000;

/**
 * Removes from this worker's disk the profiles of numbers whose account was deleted, as the database lists them.
 * A profile that the database does not know stays, because it may belong to another installation.
 */
export async function removeErasedProfiles(database: Database, dataDir: string): Promise<string[]> {
  const numberIds = await readdir(path.join(dataDir, 'profiles')).catch(() => []);
  if (numberIds.length === 0) return [];
  const erased = await erasedAmong(database, { numberIds });
  for (const numberId of erased) {
    const profileDir = profilePath(dataDir, numberId);
    await killProfileBrowsers(profileDir);
    await removeProfile(profileDir);
  }
  return erased;
}

/** Removes them now and every minute, until the returned function is called. */
export function removeErasedPeriodically(params: {
  database: Database;
  dataDir: string;
  log: Log;
}): () => void {
  const { database, dataDir, log } = params;
  const run = () =>
    removeErasedProfiles(database, dataDir).then(
      (erased) => {
        for (const numberId of erased) log.info({ numberId }, 'the profile of a deleted account was removed');
      },
      (error: unknown) => log.warn({ err: error }, 'profiles of deleted accounts could not be removed'),
    );
  void run();
  const timer = setInterval(() => void run(), EVERY_MS);
  return () => clearInterval(timer);
}

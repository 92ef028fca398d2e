import { replaceByBackup } from '#server/operations/replace-by-backup.ts';
import { migrate } from '#server/platform/db/migrate.ts';
import type { TestDatabase } from './database.ts';

/** Replaces the contents of a test's database by a backup. */
export function replaceIn(database: TestDatabase, file: string) {
  return replaceByBackup({
    ...{ url: database.url, file, otherSecrets: false },
    open: async () => {
      await migrate(database.url);
      return database;
    },
  });
}

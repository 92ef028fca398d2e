import type { PgBoss } from 'pg-boss';
import type { Database } from '#server/db/client.ts';
import type { Log } from '#server/log.ts';
import { dropSendQueue, workSchedule } from '#server/queue/boss.ts';
import { removeDeletedAccounts } from '#server/services/delete-account.ts';
import { eraseExpired } from '#server/services/erase-expired.ts';

/** The handler of `retention` jobs: erases what was kept for long enough, and what is left of deleted accounts. */
export async function handleRetentionJobs(params: {
  boss: PgBoss;
  database: Database;
  log: Log;
}): Promise<void> {
  const { boss, database, log } = params;
  await workSchedule(boss, async () => {
    const erased = await eraseExpired(database);
    const accounts = await removeDeletedAccounts(database, (numberId) => dropSendQueue(boss, numberId));
    if (accounts > 0 || Object.values(erased).some((rows) => rows > 0))
      log.info({ erased: { ...erased, accounts } }, 'erased what was kept for long enough');
  });
}

import type { PgBoss } from 'pg-boss';
import { eraseExpired } from '#server/operations/erase-expired.ts';
import type { Database } from '#server/platform/db/client.ts';
import type { Log } from '#server/platform/log.ts';
import { workQueue } from '#server/platform/queue/boss.ts';

/** The handler of `retention` jobs: erases expired data, and the rest of deleted accounts. */
export async function handleRetentionJobs(params: {
  boss: PgBoss;
  database: Database;
  log: Log;
}): Promise<void> {
  const { boss, database, log } = params;
  await workQueue(boss, 'retention', async () => {
    const erased = await eraseExpired({ database });
    if (Object.values(erased).some((rows) => rows > 0)) log.info({ erased }, 'erased expired data');
  });
}

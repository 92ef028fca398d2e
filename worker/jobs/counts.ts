import type { PgBoss } from 'pg-boss';
import { checkCounts } from '#server/operations/keep-counts.ts';
import type { Database } from '#server/platform/db/client.ts';
import { workQueue } from '#server/platform/queue/boss.ts';

/** The handler of `counts` jobs: compares the kept counts with the messages. */
export async function handleCountJobs({
  boss,
  database,
}: {
  boss: PgBoss;
  database: Database;
}): Promise<void> {
  await workQueue(boss, 'counts', async () => {
    await checkCounts({ database });
  });
}

import type { PgBoss } from 'pg-boss';
import { workQueue } from '#server/platform/queue/boss.ts';

/**
 * The handler of `send` jobs. Each makes its number check its queue. If another worker holds the number, the row's
 * notification and that worker's sweep do that.
 */
export async function handleSendJobs(boss: PgBoss, lookForWork: (numberId: string) => void): Promise<void> {
  await workQueue(boss, 'send', async (jobs) => {
    for (const numberId of new Set(jobs.map((job) => job.numberId))) lookForWork(numberId);
  });
}

import type { PgBoss } from 'pg-boss';
import { workSendQueue } from '#server/platform/queue/boss.ts';

/**
 * The handler of `send` jobs for one number: each is a wake-up that says "look at the rows". Returns how to
 * stop working the queue.
 */
export async function handleSendJobs(
  boss: PgBoss,
  numberId: string,
  wake: () => void,
): Promise<() => Promise<void>> {
  const { stop } = await workSendQueue(boss, numberId, wake);
  return stop;
}

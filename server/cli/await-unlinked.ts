import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '#server/core/errors.ts';
import { isUnlinking } from '#server/operations/queries/operator.ts';
import type { Database } from '#server/platform/db/client.ts';
import { workerRuns } from './require-worker.ts';

const LIMIT_MS = 60_000;
const POLL_MS = 200;

/**
 * Waits until a worker has logged the device out, so that the next linking starts clean. Without a running worker
 * it does not wait: the next worker that starts logs the device out.
 */
export async function awaitUnlinked(database: Database, numberId: string): Promise<void> {
  const until = performance.now() + LIMIT_MS;
  while (await isUnlinking(database.db, { numberId })) {
    if (!(await workerRuns(database))) return;
    if (performance.now() > until)
      throw new AppError(
        'unavailable',
        'The number is unlinked here, but WhatsApp did not confirm it within 60 s. The worker keeps trying.',
      );
    await delay(POLL_MS);
  }
}

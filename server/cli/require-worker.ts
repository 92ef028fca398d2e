import { AppError } from '#server/core/errors.ts';
import { isWorkerAlive } from '#server/operations/queries/operator.ts';
import type { Database } from '#server/platform/db/client.ts';

export function workerRuns(database: Database): Promise<boolean> {
  return isWorkerAlive(database.db);
}

/** Throws `unavailable` if no worker runs, because the request would never be carried out. */
export async function requireWorker(database: Database): Promise<void> {
  if (await workerRuns(database)) return;
  throw new AppError(
    'unavailable',
    'Wirebird is not running, so nothing can be linked. Start it with "npm start", then run this command again.',
  );
}

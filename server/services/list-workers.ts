import type { Database } from '#server/db/client.ts';
import { listWorkerRows, type WorkerRow } from '#server/store/workers.ts';

/** All workers of the installation, longest-running first; one that was silent for a day is forgotten. */
export function listWorkers(database: Database): Promise<WorkerRow[]> {
  return listWorkerRows(database.db);
}

import type { Database } from '#server/platform/db/client.ts';
import { listWorkerRows, type WorkerRow } from './queries/workers.ts';

/** All workers of the installation, longest-running first; one that was silent for a day is forgotten. */
export function listWorkers(database: Database): Promise<WorkerRow[]> {
  return listWorkerRows(database.db);
}

import { audit } from '#server/accounts/audit.ts';
import { AppError } from '#server/core/errors.ts';
import type { ActorContext, InstallationContext } from '#server/platform/db/context.ts';
import { listWorkerRows, setDrainRequested, type WorkerRow } from './queries/workers.ts';

/** All workers of the installation, longest-running first, except those silent for a day. */
export function listWorkers({ database }: InstallationContext): Promise<WorkerRow[]> {
  return listWorkerRows(database.db);
}

/**
 * Makes a worker hand its numbers over to the others without losing messages, or take numbers again (`drain` is
 * false). It begins within seconds; {@link listWorkers} shows the progress. Repeating it changes nothing. Throws
 * `not_found`, and `invalid_parameters` if no other worker can take the numbers.
 */
export async function drainWorker(
  { database, actor }: ActorContext,
  { workerId, drain }: { workerId: string; drain: boolean },
): Promise<void> {
  await database.db.transaction(async (tx) => {
    const workers = await listWorkerRows(tx);
    if (!workers.some(({ id }) => id === workerId))
      throw new AppError('not_found', 'This worker no longer exists.');
    const others = workers.filter(
      ({ id, alive, draining, sessionsStopped }) => id !== workerId && alive && !draining && !sessionsStopped,
    );
    if (drain && others.length === 0)
      throw new AppError(
        'invalid_parameters',
        'No other worker can take the numbers. Start another worker first, then drain this one.',
      );
    if (!(await setDrainRequested(tx, { workerId, drain }))) return;
    const action = drain ? 'worker.drain' : 'worker.resume';
    await audit(tx, { actor, accountId: null, action, target: workerId });
  });
}

import { audit } from '#server/accounts/audit.ts';
import type { Actor } from '#server/core/actor.ts';
import { AppError } from '#server/core/errors.ts';
import type { Database } from '#server/platform/db/client.ts';
import { listWorkerRows, setDrainRequested } from './queries/workers.ts';

/**
 * Has a worker hand its numbers over to the others, one after the other and without losing a message, or take
 * some up again (`drain: false`). It begins within seconds; `list-workers` shows how far it is. Repeating it
 * changes nothing. Throws `not_found`, and `invalid_parameters` when no other worker could take the numbers.
 */
export async function drainWorker(
  database: Database,
  params: { workerId: string; drain: boolean; actor: Actor },
): Promise<void> {
  const { workerId, drain, actor } = params;
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
    await audit(tx, { actor, accountId: null, action, target: workerId, detail: null });
  });
}

import { randomBytes } from 'node:crypto';
import type { Running } from './child.ts';
import type { FaultNumber } from './numbers.ts';
import { type Posted, post } from './post.ts';
import type { Posts } from './row.ts';
import { until } from './until.ts';
import type { World } from './world.ts';

/** The worker that holds a number's lease and runs its session, and the fence. */
export async function leaseOf(
  world: World,
  { numberId }: FaultNumber,
): Promise<{ workerId: string | null; fence: number }> {
  const [lease] = await world.database.sql<{ workerId: string | null; fence: number }[]>`
    select case when l.expires_at > clock_timestamp() and n.moving_until is null then l.worker_id end as "workerId", l.fence::int
    from leases l join numbers n on n.id = l.number_id where l.number_id = ${numberId}`;
  return lease ?? { workerId: null, fence: 0 };
}

export const untilHeldBy = (world: World, number: FaultNumber, isHolder: (workerId: string) => boolean) =>
  until(`${number.numberId} has a new worker`, async () => {
    const { workerId } = await leaseOf(world, number);
    return workerId !== null && isHolder(workerId) && (await world.statusOf(number)) === 'CONNECTED';
  });

/** Runs `work` with a second worker on its own volume and connection; afterwards its numbers return. */
export async function withSecondWorker(
  world: World,
  work: (second: Running, line: Awaited<ReturnType<World['newLine']>>) => Promise<string>,
): Promise<string> {
  const line = await world.newLine();
  const second = await world.newWorker({ volume: randomBytes(4).toString('hex'), line });
  await second.start();
  try {
    return await work(second, line);
  } finally {
    if (!world.worker.running) await world.worker.start();
    if (second.running) await second.end('SIGTERM');
  }
}

/** Posts messages on each number, one after another, until `work` is done. */
export async function underLoad(
  world: World,
  numbers: readonly FaultNumber[],
  posts: Posts,
  work: () => Promise<unknown>,
): Promise<Posted[]> {
  const all: Posted[] = [];
  let over = false;
  const callers = numbers.map(async (number) => {
    while (!over) {
      const posted = posts(post(world, number));
      all.push(posted);
      await posted.answer;
    }
  });
  await work().finally(() => {
    over = true;
  });
  await Promise.all(callers);
  return all;
}

import { randomBytes } from 'node:crypto';
import { sql as fragments } from 'drizzle-orm';
import { leaseOf, underLoad, untilHeldBy, withSecondWorker } from './fleet.ts';
import { delaySlot, expectFate, fateOf, storedFor, untilStored } from './oracle.ts';
import { type Posted, post } from './post.ts';
import {
  ACCEPTED,
  expectEither,
  expectNotDelivered,
  expectSent,
  expectSentOrExpired,
  MANY_TIMES,
  postWaiting,
  type Row,
  reasonOf,
  resolvedFate,
} from './row.ts';
import { until } from './until.ts';
import type { World } from './world.ts';

/** Faults of several workers and web processes on one database. */

const HOUR_MS = 60 * 60_000;

async function expectAllSent(world: World, all: readonly Posted[]): Promise<string> {
  if (all.length === 0) throw new Error('no message was posted');
  for (const posted of all) await expectSent(world, posted);
  return `${all.length} × 200 / sent / 1`;
}

export const FLEET_ROWS: Row[] = [
  {
    name: 'worker-paused',
    fault: 'worker SIGSTOP past its lease, then SIGCONT',
    ...MANY_TIMES,
    long: true,
    async run(world, posts) {
      const number = await world.number();
      await world.transport.rule(number, { stage: 'wire', action: 'hang' });
      const posted = posts(post(world, number));
      await untilStored(world, posted, 'sending');
      const before = await leaseOf(world, number);
      await world.worker.signal('SIGSTOP');
      const other = await world.newWorker();
      await other.start();
      await untilHeldBy(world, number, (workerId) => workerId !== before.workerId);
      await world.worker.signal('SIGCONT');
      await world.transport.clearRules(number);
      const fate = expectFate(await resolvedFate(world, posted), {
        callers: ['502 unknown'],
        stored: ['unknown', 'failed', ...ACCEPTED],
        delivered: [0, 1],
      });
      // From now on messages are sent only under the new fence.
      const next = posts(post(world, number));
      await expectSent(world, next);
      const [row] = await world.database.sql<{ fence: number }[]>`
        select fence::int from messages where id = ${(await storedFor(world, next))[0]?.id ?? ''}`;
      if ((row?.fence ?? 0) <= before.fence) throw new Error('sent under the old fence');
      await other.end('SIGTERM');
      return fate;
    },
  },
  {
    name: 'two-workers-start',
    fault: 'two workers start on one number at once',
    ...MANY_TIMES,
    long: true,
    async run(world, posts) {
      const number = await world.number();
      await world.worker.end('SIGTERM');
      const other = await world.newWorker();
      await Promise.all([world.worker.start(), other.start()]);
      await world.untilStatus(number, 'CONNECTED');
      const posted = posts(post(world, number));
      const seen = await expectSent(world, posted);
      await other.end('SIGTERM');
      return seen;
    },
  },
  {
    name: 'worker-killed-same-volume',
    fault: 'worker SIGKILL, same volume',
    ...MANY_TIMES,
    long: true,
    async run(world, posts) {
      const number = await world.number();
      const posted = await postWaiting(world, posts, number);
      await world.worker.end('SIGKILL');
      const began = performance.now();
      await world.worker.start();
      await untilHeldBy(world, number, () => true);
      const backMs = performance.now() - began;
      if (backMs > 45_000) throw new Error(`back after ${backMs} ms`);
      return expectSentOrExpired(await fateOf(world, posted));
    },
  },
  {
    name: 'worker-killed-other-volume',
    fault: 'worker SIGKILL, other volume only',
    ...MANY_TIMES,
    long: true,
    async run(world, posts) {
      const number = await world.number();
      // The first worker holds the number and dies with its volume while two messages wait.
      await untilHeldBy(world, number, () => true);
      await world.allReady();
      await delaySlot(world, number);
      const sync = posts(post(world, number));
      const async = posts(post(world, number, { prefer: 'respond-async' }));
      await untilStored(world, sync, 'queued');
      await untilStored(world, async, 'queued');
      await world.worker.end('SIGKILL');
      return withSecondWorker(world, async () => {
        await until(
          'the number says what it waits for',
          async () => (await reasonOf(world, number)) === 'stranded',
        );
        // A new message is refused, sync or async.
        for (const late of [
          posts(post(world, number)),
          posts(post(world, number, { prefer: 'respond-async' })),
        ])
          await expectNotDelivered(world, late, '409', 'nothing');
        const seen = expectSentOrExpired(await fateOf(world, sync));
        const kept = await expectNotDelivered(world, async, '202', 'queued');
        if ((await leaseOf(world, number)).workerId !== null)
          throw new Error('another worker took the number');
        await world.worker.start();
        await world.untilStatus(number, 'CONNECTED');
        await until('the async message is sent', async () => (await fateOf(world, async)).delivered === 1);
        return `${seen}; async ${kept}`;
      });
    },
  },
  {
    name: 'drain-under-load',
    fault: 'drain under load, two workers in turn',
    ...MANY_TIMES,
    numbers: 2,
    long: true,
    async run(world, posts) {
      const numbers = [await world.number(0), await world.number(1)];
      return withSecondWorker(world, async (second) => {
        const all = await underLoad(world, numbers, posts, async () => {
          await world.worker.end('SIGTERM');
          for (const number of numbers) await untilHeldBy(world, number, () => true);
          await world.worker.start();
          await second.end('SIGTERM');
          for (const number of numbers) await untilHeldBy(world, number, () => true);
        });
        return expectAllSent(world, all);
      });
    },
  },
  {
    name: 'database-line-cut',
    fault: 'network between worker and database cut for 20 s or 60 s',
    ...MANY_TIMES,
    long: true,
    async run(world, posts, seed) {
      const number = await world.number();
      await world.transport.rule(number, { stage: 'wire', action: 'late', ms: 1000 });
      await world.allReady();
      const posted = posts(post(world, number));
      await untilStored(world, posted, 'sending');
      const forMs = await world.silenceWorkerLine(seed % 2 === 0 ? 20_000 : 60_000);
      await world.untilStatus(number, 'CONNECTED');
      const fate = await resolvedFate(world, posted);
      return `${forMs / 1000} s: ${expectEither(fate, ['200', '502 unknown'], ['unknown', 'failed'])}`;
    },
  },
  {
    name: 'clocks-apart',
    fault: 'clocks of two workers an hour apart',
    ...MANY_TIMES,
    long: true,
    async run(world, posts) {
      const number = await world.number();
      return withSecondWorker(world, async (second) => {
        world.worker.shiftClock(HOUR_MS / 2);
        second.shiftClock(-HOUR_MS / 2);
        const all = await underLoad(world, [number], posts, async () => {
          await world.worker.end('SIGTERM');
          await untilHeldBy(world, number, () => true);
          await world.worker.start();
          world.worker.shiftClock(HOUR_MS / 2);
          await second.end('SIGTERM');
          await untilHeldBy(world, number, () => true);
        });
        world.worker.shiftClock(0);
        return expectAllSent(world, all);
      });
    },
  },
  {
    name: 'snapshot-too-old',
    fault: 'snapshot older than the profile’s last start',
    ...MANY_TIMES,
    long: true,
    async run(world, posts) {
      const number = await world.freshNumber();
      const { numberId } = number;
      await world.worker.end('SIGTERM');
      // A backup of the profile's row: the session continues, then the row is restored.
      const { sql } = world.database;
      const backup = fragments.identifier(`old_profile_${numberId}`);
      await sql`create table ${backup} as select * from profiles where number_id = ${numberId}`;
      await world.worker.start();
      await world.untilStatus(number, 'CONNECTED');
      await world.worker.end('SIGKILL');
      await sql`delete from profiles where number_id = ${numberId}`;
      await sql`insert into profiles select * from ${backup}`;
      await sql`drop table ${backup}`;
      await world.worker.start();
      await world.untilStatus(number, 'LOGGED_OUT');
      const reason = await reasonOf(world, number);
      if (reason !== 'session_stale') throw new Error(`the reason is ${reason}`);
      return expectNotDelivered(world, posts(post(world, number)), '409', 'nothing');
    },
  },
  {
    name: 'fleet-journey',
    fault: 'two workers and two web processes, killed and drained in turn',
    ...MANY_TIMES,
    async run(world, posts) {
      const number = await world.number();
      const other = await world.newWeb();
      await other.child.start();
      const sent = async (posted: Posted, ...more: Posted[]) =>
        expectFate(await fateOf(world, posted, ...more), {
          callers: ['200', 'lost'],
          stored: ACCEPTED,
          delivered: [1],
        });
      const seen = await withSecondWorker(world, async () => {
        // The number moves to the second worker while its message waits.
        await world.allReady();
        await delaySlot(world, number);
        const moved = posts(post(world, number));
        await world.worker.end('SIGTERM');
        await sent(moved);
        // A web process dies while a message waits; the other one answers the repeat.
        const idempotencyKey = randomBytes(8).toString('hex');
        const first = await postWaiting(world, posts, number, { idempotencyKey });
        await world.web.end('SIGKILL');
        const again = posts(post(world, number, { idempotencyKey, again: first, url: other.url }));
        await sent(first, again);
        await Promise.all([world.web.start(), world.worker.start()]);
        return 'moved, web killed';
      });
      // The second worker stopped cleanly; now the first dies and restarts on its volume.
      await untilHeldBy(world, number, () => true);
      await world.worker.end('SIGKILL');
      await world.worker.start();
      await untilHeldBy(world, number, () => true);
      await sent(posts(post(world, number)));
      await other.child.end('SIGTERM');
      return `${seen}, drained, worker killed: 200 / sent / 1`;
    },
  },
];

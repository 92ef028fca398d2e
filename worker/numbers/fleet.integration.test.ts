import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { drainWorker, listWorkers } from '#server/operations/drain-worker.ts';
import { CLI } from '#server/testing/domain.ts';
import { type FleetWorld, startFleetWorld } from '../testing/fleet.ts';
import { until } from '../testing/world.ts';
import type { Supervisor } from './leases/supervisor.ts';

/** Numbers that move between workers. Each worker has its own volume. */

let world: FleetWorld;
let one: Supervisor;
let two: Supervisor;
const numbers: string[] = [];

beforeAll(async () => {
  world = await startFleetWorld();
  one = await world.startWorker('one');
  for (let n = 0; n < 6; n++) numbers.push(await world.addLinkedNumber());
});
afterAll(() => world.stop());

/** Checks that every number shows as connected and can send while `work` runs. */
async function undisturbed(work: () => Promise<unknown>): Promise<void> {
  let over = false;
  const seen = new Set<string>();
  const watching = (async () => {
    while (!over) {
      for (const numberId of numbers) seen.add(await world.statusOf(numberId));
      await delay(20);
    }
  })();
  const sending = numbers.map(async (numberId) => {
    while (!over) {
      await world.send(numberId);
      await delay(50);
    }
  });
  await work().finally(() => {
    over = true;
  });
  await Promise.all([watching, ...sending]);
  expect([...seen]).toEqual(['CONNECTED']);
}

test('a worker that joins gets its share, without failed requests', async () => {
  await undisturbed(async () => {
    two = await world.startWorker('two');
    await until(async () => (await world.spread(one, two)).join() === '3,3', 30_000);
  });
  expect(world.network.rewound).toBe(0);
});

test('a worker that an administrator drains hands over all its numbers, without failed requests', async () => {
  await undisturbed(async () => {
    await drainWorker({ ...world, actor: CLI }, { workerId: two.workerId, drain: true });
    await until(async () => (await world.spread(one, two)).join() === '6,0', 30_000);
  });
  await drainWorker({ ...world, actor: CLI }, { workerId: two.workerId, drain: false });
  await until(
    async () => (await listWorkers(world)).map(({ draining }) => draining).join() === 'false,false',
  );
});

test('restarting workers one after another under load loses and refuses nothing', async () => {
  await undisturbed(async () => {
    await world.stopWorker(one, 60_000);
    expect(await world.spread(two)).toEqual([6]);
    one = await world.startWorker('one');
    await world.stopWorker(two, 60_000);
    expect(await world.spread(one)).toEqual([6]);
  });
  const settled = await world.database.sql<{ status: string }[]>`select distinct status from messages`;
  expect(settled).toEqual([{ status: 'sent' }]);
  const delivered = numbers.flatMap((numberId) => world.network.inbox(numberId));
  const sent = await world.database.sql`select 1 from messages`;
  expect(delivered).toHaveLength(sent.length);
  expect(delivered.every(({ repeats }) => repeats === 0)).toBe(true);
  expect(world.network).toMatchObject({ rewound: 0, doubled: 0 });
}, 120_000);

import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { openLinking } from '#server/numbers/link-number.ts';
import { startWorld, until, type World } from '../testing/world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterEach(() => {
  vi.restoreAllMocks();
});
afterAll(() => world.stop());

/** Pretends, on the monotonic clock, that the process was suspended for this long. */
function holdUp(ms: number): void {
  const now = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => now() + ms);
}

async function leaseOf(numberId: string) {
  const [row] = await world.database.sql<{ fence: number; held: boolean }[]>`
    select fence::int, worker_id is not null as held from leases where number_id = ${numberId}`;
  return row ?? { fence: 0, held: false };
}

test('a lease that was silent for too long is not continued, whatever a later renewal says', async () => {
  const { numberId } = await world.addLinkedNumber();
  const other = await world.addUnlinkedNumber();
  const before = await leaseOf(numberId);
  // The worker already refuses to write for the number. Then it renews before it checks its leases.
  holdUp(20_000);
  await openLinking(world, { numberId: other.numberId });
  await until(async () => {
    const { held, fence } = await leaseOf(numberId);
    return held && fence > before.fence;
  });
  await world.untilStatus(numberId, 'CONNECTED');
});

test('a lease that cannot be renewed ends its session by the worker’s own clock, before it expires', async () => {
  const { numberId } = await world.addLinkedNumber();
  await world.database.sql.begin(async (sql) => {
    // A renewal or release of the lease waits for this transaction.
    const [lease] = await sql<{ fence: number }[]>`
      update leases set expires_at = clock_timestamp() + interval '30 seconds', renewed_at = clock_timestamp()
      where number_id = ${numberId} returning fence::int`;
    holdUp(18_000);
    await until(() => !world.network.isOpen(numberId));
    const [still] = await sql<{ fence: number; lasts: boolean }[]>`
      select fence::int, expires_at > clock_timestamp() as lasts from leases where number_id = ${numberId}`;
    expect(still).toEqual({ ...lease, lasts: true });
  });
  await world.untilStatus(numberId, 'CONNECTED');
});

test('a number whose start takes long is kept if its lease was renewed meanwhile', async () => {
  const { numberId } = await world.addUnlinkedNumber();
  const { sql } = world.database;
  const renewedAfter = async (time: Date) => {
    const rows = await sql`select from leases where number_id = ${numberId} and renewed_at > ${time}`;
    return rows.length > 0;
  };
  const renewed = async () => {
    const [{ now } = { now: new Date() }] = await sql<{ now: Date }[]>`select clock_timestamp() as now`;
    await until(() => renewedAfter(now));
  };
  let claimed = { fence: 0 };
  await sql.begin(async (tx) => {
    // Its worker cannot acquire its profile before this transaction ends.
    await tx`lock table profiles in exclusive mode`;
    await openLinking(world, { numberId });
    await until(async () => {
      const [row] = await sql<{ fence: number }[]>`
        select fence::int from leases where number_id = ${numberId} and worker_id is not null`;
      claimed = row ?? claimed;
      return row !== undefined;
    });
    holdUp(18_000);
    // The first renewal may have been requested before.
    await renewed();
    await renewed();
  });
  await world.untilStatus(numberId, 'LINKING');
  await until(() => world.network.isOpen(numberId));
  await renewed();
  expect(await leaseOf(numberId)).toEqual({ fence: claimed.fence, held: true });
});

import { test, vi } from 'vitest';
import { openLinking } from '#server/services/open-linking.ts';
import { CLI } from '#server/services/testing.ts';
import { startWorld, until } from '../testing/world.ts';

test('a lease that was silent for too long is not carried on, whatever a later renewal says', async () => {
  const world = await startWorld();
  try {
    const { numberId } = await world.addLinkedNumber();
    const other = await world.addUnlinkedNumber();
    const fence = async () => {
      const [row] = await world.database.sql<{ fence: number; held: boolean }[]>`
        select fence::int, worker_id is not null as held from leases where number_id = ${numberId}`;
      return row?.held ? row.fence : 0;
    };
    const before = await fence();
    // The process was held up, so that it has refused to write; then it renews, before it looks at its leases.
    const now = performance.now.bind(performance);
    vi.spyOn(performance, 'now').mockImplementation(() => now() + 20_000);
    await openLinking(world.database, { accountId: world.accountId, numberId: other.numberId, actor: CLI });
    await until(async () => (await fence()) > before);
    await world.untilStatus(numberId, 'CONNECTED');
  } finally {
    vi.restoreAllMocks();
    await world.stop();
  }
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { openLinking } from '#server/numbers/link-number.ts';
import { CLI, makeAccount, makeNumber } from '#server/testing/domain.ts';
import { startWorld, until, type World } from '#worker/testing/world.ts';

let world: World;
let phones = 0;
const freePhone = () => `491555000000${phones++}`;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

test('of two accounts that link one phone at the same moment one succeeds, and the other learns nothing about it', async () => {
  const { database, network } = world;
  const rivals = await Promise.all(
    [0, 1].map(async () => {
      const { accountId } = await makeAccount(database);
      const numberId = await makeNumber(database, { accountId });
      await openLinking({ database, accountId, actor: CLI }, { numberId });
      await until(() => network.isOpen(numberId));
      return { accountId, numberId };
    }),
  );
  const phone = freePhone();
  for (const { numberId } of rivals) network.scan(numberId, phone);
  const statuses = () =>
    database.sql<{ id: string; status: string; reason: string | null }[]>`
      select id, status, cause ->> 'code' as reason from numbers
      where id = any(${rivals.map(({ numberId }) => numberId)}) order by status`;
  // Before its page's first report the loser is UNLINKED too, but without a reason.
  await until(async () => {
    const [winner, loser] = await statuses();
    return winner?.status === 'CONNECTED' && loser?.status === 'UNLINKED' && loser.reason !== null;
  });
  const [winner, loser] = await statuses();
  const other = rivals.find(({ numberId }) => numberId === winner?.id);
  for (const secret of [other?.accountId, other?.numberId]) expect(loser?.reason).not.toContain(secret);
});

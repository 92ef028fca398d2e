import { afterAll, beforeAll, expect, test } from 'vitest';
import { openLinking } from '#server/numbers/link-number.ts';
import { CLI, makeAccount, makeNumber } from '#server/testing/domain.ts';
import { startWorld, until, type World } from '#worker/testing/world.ts';

let world: World;
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
  for (const { numberId } of rivals) network.scan(numberId, '4915550000001');
  const statuses = () =>
    database.sql<{ id: string; status: string; reason: string | null }[]>`
      select id, status, status_reason as reason from numbers
      where id = any(${rivals.map(({ numberId }) => numberId)}) order by status`;
  await until(
    async () => (await statuses()).map(({ status }) => status).join() === 'CONNECTED,UNLINKED',
    20_000,
  );
  const [winner, loser] = await statuses();
  const other = rivals.find(({ numberId }) => numberId === winner?.id);
  expect(loser?.reason).not.toBe(null);
  for (const secret of [other?.accountId, other?.numberId]) expect(loser?.reason).not.toContain(secret);
});

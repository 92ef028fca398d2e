import { afterAll, beforeAll, expect, test } from 'vitest';
import { openLinking } from '#server/numbers/link-number.ts';
import { countPlanPlaces } from '#server/numbers/queries/numbers.ts';
import { startWorld, until, type World } from '../testing/world.ts';
import { REASONS } from './reasons.ts';

/** A number whose time for linking ends. */

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

async function beingLinked(): Promise<string> {
  const { numberId } = await world.addUnlinkedNumber();
  await openLinking(world, { numberId });
  await until(() => world.network.isOpen(numberId));
  await world.untilStatus(numberId, 'LINKING');
  return numberId;
}

/** Ends the time for linking, `ms` ago. */
async function endTime(numberId: string, ms = 1): Promise<void> {
  await world.database.sql`
    update numbers set link_until = clock_timestamp() - ${ms} * interval '1 millisecond' where id = ${numberId}`;
}

async function reasonOf(numberId: string): Promise<string | null | undefined> {
  const [row] = await world.database.sql<{ reason: string | null }[]>`
    select status_reason as reason from numbers where id = ${numberId}`;
  return row?.reason;
}

test('without a phone it ends, and says so', async () => {
  const numberId = await beingLinked();
  await endTime(numberId);
  await world.untilStatus(numberId, 'UNLINKED');
  expect(await reasonOf(numberId)).toBe(REASONS.linkingExpired);
  await until(() => !world.network.isOpen(numberId));
});

test('a phone that was linked in time and still loads its data is kept', async () => {
  const numberId = await beingLinked();
  world.network.load(numberId);
  await world.untilStatus(numberId, 'SYNCING');
  await endTime(numberId);
  // The tasks of a number run in order: this one comes after the end of its time.
  world.network.disconnect(numberId, 'seen');
  await until(async () => (await reasonOf(numberId)) === 'seen');
  world.network.load(numberId);
  await world.untilStatus(numberId, 'SYNCING');
  const { accountId } = world;
  expect(await countPlanPlaces(world.database.db, { accountId, exceptId: '' })).toBe(1);
  world.network.scan(numberId, '999000009001');
  await world.untilStatus(numberId, 'CONNECTED');
  expect(world.opens(numberId)).toBe(1);
});

test('so is one whose page is lost meanwhile, with its stored session', async () => {
  const numberId = await beingLinked();
  world.network.load(numberId);
  await world.untilStatus(numberId, 'SYNCING');
  await endTime(numberId);
  world.network.link(numberId, '999000009002');
  world.network.kill(numberId);
  await world.untilStatus(numberId, 'CONNECTED');
  expect(world.opens(numberId)).toBe(2);
});

test('a phone whose data does not come is given up, and the reason does not say that nobody scanned', async () => {
  const numberId = await beingLinked();
  world.network.load(numberId);
  await world.untilStatus(numberId, 'SYNCING');
  await endTime(numberId, 3_600_000);
  world.network.kill(numberId);
  await world.untilStatus(numberId, 'UNLINKED');
  expect(await reasonOf(numberId)).toBe(REASONS.notLoaded);
});

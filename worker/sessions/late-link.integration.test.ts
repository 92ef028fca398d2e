import { afterAll, beforeAll, expect, test } from 'vitest';
import { openLinking, showLinking } from '#server/numbers/link-number.ts';
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

/** The codes were last seen `seconds` ago. */
async function seenAgo(numberId: string, seconds: number): Promise<void> {
  await world.database.sql`
    update numbers set link_seen_at = clock_timestamp() - ${seconds} * interval '1 second' where id = ${numberId}`;
}

test('within a minute after the last screen with its code was closed, it ends and says so', async () => {
  const numberId = await beingLinked();
  await seenAgo(numberId, 30);
  await showLinking(world, { numberId });
  const [row] = await world.database.sql<{ ago: number }[]>`
    select extract(epoch from clock_timestamp() - link_seen_at)::float8 as ago from numbers where id = ${numberId}`;
  expect(row?.ago).toBeLessThan(10);
  await seenAgo(numberId, 46);
  await world.untilStatus(numberId, 'UNLINKED');
  expect(await reasonOf(numberId)).toBe(REASONS.codesUnseen);
  await until(() => !world.network.isOpen(numberId));
  expect(await showLinking(world, { numberId })).toMatchObject({ open: false, qr: null });
});

test('a pairing code, which the phone with the closed page needs, stays until WhatsApp refuses it', async () => {
  const numberId = await beingLinked();
  await openLinking(world, { numberId, pairingPhone: '999000009009' });
  const shown = async () => (await showLinking(world, { numberId })).pairingCode !== null;
  await until(shown);
  await seenAgo(numberId, 170);
  // The tasks of a number run in order: this one comes after it was judged.
  world.network.disconnect(numberId, 'judged');
  await until(async () => (await reasonOf(numberId)) === 'judged');
  expect(await shown()).toBe(true);
  await seenAgo(numberId, 181);
  await world.untilStatus(numberId, 'UNLINKED');
});

test('ten pairing codes are made at once for a phone, over all numbers; then the owner reads when the next is free', async () => {
  const numbers = [await beingLinked(), await beingLinked()];
  const pairingPhone = '999000009010';
  const left = async () => {
    const [row] = await world.database.sql<{ tokens: number }[]>`
      select tokens from rate_buckets where key like 'pairing:%' order by updated_at desc limit 1`;
    return row ? Math.floor(row.tokens) : 10;
  };
  await world.database.sql`delete from rate_buckets where key like 'pairing:%'`;
  for (let code = 1; code <= 10; code++) {
    await openLinking(world, { numberId: numbers[code % 2] ?? '', pairingPhone });
    await until(async () => (await left()) === 10 - code);
  }
  const [numberId = ''] = numbers;
  await openLinking(world, { numberId, pairingPhone });
  const words = /accepts about ten in an hour\. Scan the QR code instead, or start again in 6 minutes\./;
  await until(async () => words.test((await reasonOf(numberId)) ?? ''));
  expect((await showLinking(world, { numberId })).pairingCode).toBeNull();
});

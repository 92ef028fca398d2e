import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { getNumber } from '#server/numbers/get-number.ts';
import { openLinking, showLinking } from '#server/numbers/link-number.ts';
import { countPlanPlaces } from '#server/numbers/queries/numbers.ts';
import { startWorld, until, type World } from '../testing/world.ts';

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
    select cause ->> 'code' as reason from numbers where id = ${numberId}`;
  return row?.reason;
}

test('without a phone it ends, and says so', async () => {
  const numberId = await beingLinked();
  await endTime(numberId);
  await world.untilStatus(numberId, 'UNLINKED');
  expect(await reasonOf(numberId)).toBe('linking_expired');
  await until(() => !world.network.isOpen(numberId));
});

test('a phone that was linked in time and still loads its data is kept', async () => {
  const numberId = await beingLinked();
  world.network.load(numberId);
  await world.untilStatus(numberId, 'SYNCING');
  await endTime(numberId);
  // The tasks of a number run in order: this one comes after the end of its time.
  world.network.disconnect(numberId, { code: 'no_answer' });
  await until(async () => (await reasonOf(numberId)) === 'no_answer');
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
  expect(await reasonOf(numberId)).toBe('not_loaded');
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
  expect(await reasonOf(numberId)).toBe('codes_unseen');
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
  world.network.disconnect(numberId, { code: 'no_answer' });
  await until(async () => (await reasonOf(numberId)) === 'no_answer');
  expect(await shown()).toBe(true);
  await seenAgo(numberId, 181);
  await world.untilStatus(numberId, 'UNLINKED');
});

test('a phone gets ten pairing codes in any hour, over all numbers; then the owner reads when the next is free', async () => {
  const numbers = [await beingLinked(), await beingLinked()];
  const pairingPhone = '999000009010';
  const { sql } = world.database;
  await sql`delete from rate_buckets where key like 'pairing:%'`;
  const counted = async () => {
    const rows = await sql<{ key: string }[]>`
      select key from rate_buckets where key like 'pairing:%' and updated_at > clock_timestamp() - interval '5 minutes'`;
    return rows.length;
  };
  const request = (code: number) => openLinking(world, { numberId: numbers[code % 2] ?? '', pairingPhone });
  const passMinutes = (minutes: number) =>
    sql`update rate_buckets set updated_at = updated_at - ${minutes} * interval '1 minute' where key like 'pairing:%'`;
  const [numberId = ''] = numbers;
  const refused = (minutes: number) => {
    const used = { code: 'pairing_codes_used_up', minutes } as const;
    return until(async () => isDeepStrictEqual((await getNumber(world, { numberId })).cause, used));
  };

  for (let code = 1; code <= 10; code++) {
    if (code === 6) await passMinutes(20);
    await request(code);
    await until(async () => (await counted()) === (code < 6 ? code : code - 5));
  }
  await request(0);
  await refused(40);
  expect((await showLinking(world, { numberId })).pairingCode).toBeNull();
  // Five places are free again, and the other five are not.
  await passMinutes(41);
  for (let code = 1; code <= 5; code++) {
    await request(code);
    await until(async () => (await counted()) === code);
  }
  await request(0);
  await refused(19);
});

test('linking that is opened again no longer says why it ended before', async () => {
  const numberId = await beingLinked();
  await endTime(numberId);
  await world.untilStatus(numberId, 'UNLINKED');
  expect(await reasonOf(numberId)).toBe('linking_expired');
  await openLinking(world, { numberId });
  expect(await reasonOf(numberId)).toBeNull();
  await world.untilStatus(numberId, 'LINKING');
  await world.database
    .sql`update numbers set cause = '{"code": "legacy", "text": "no code"}' where id = ${numberId}`;
  await openLinking(world, { numberId });
  expect(await reasonOf(numberId)).toBeNull();
  await until(async () => (await showLinking(world, { numberId })).qr !== null);
  expect(await reasonOf(numberId)).toBeNull();
});

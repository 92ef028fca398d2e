import { afterAll, expect, test } from 'vitest';
import { newId } from '#server/core/id.ts';
import type { Holding } from '#server/core/lease.ts';
import { stopClientBoss } from '#server/platform/queue/boss.ts';
import { testDatabase } from '#server/testing/database.ts';
import { CLI, linkAsWorker, makeAccount, makeNumber } from '#server/testing/domain.ts';
import { getNumber } from './get-number.ts';
import { openLinking } from './link-number.ts';
import { claimLeases, RENEW_EVERY_MS, renewLeases } from './queries/leases.ts';
import { markStranded } from './queries/moves.ts';
import { takeUpProfile, writeSnapshot } from './queries/profiles.ts';

/** Numbers whose worker is gone, and with it the volume that their session is on. */

const database = testDatabase();
afterAll(stopClientBoss);

test('a lease lasts 30 s from its renewal by the database’s clock, and one statement renews all of a worker’s leases', async () => {
  expect(RENEW_EVERY_MS).toBe(5000);
  const { accountId } = await makeAccount(database, 3);
  for (const network of ['whatsapp', 'whatsapp', 'sandbox'] as const)
    await makeNumber(database, { accountId, network });
  await database.sql`update numbers set intent = 'run' where account_id = ${accountId}`;
  const workerId = newId('worker');
  const claimed = await claimLeases(database, { workerId, volumeId: 'vol_a', most: 3, free: 3 });
  expect(claimed).toHaveLength(3);
  const lasts = () => database.sql<{ written: string; seconds: number; fresh: boolean }[]>`
    select xmin::text as written, round(extract(epoch from expires_at - renewed_at))::int as seconds,
      renewed_at > clock_timestamp() - interval '30 seconds' as fresh
    from leases where worker_id = ${workerId}`;
  const first = await lasts();
  expect(await renewLeases(database, { workerId })).toHaveLength(3);
  const renewed = await lasts();
  for (const { seconds, fresh } of [...first, ...renewed])
    expect({ seconds, fresh }).toEqual({ seconds: 30, fresh: true });
  expect(new Set(renewed.map(({ written }) => written)).size).toBe(1);
  expect(renewed[0]?.written).not.toBe(first[0]?.written);
  await database.sql`update numbers set intent = 'idle' where account_id = ${accountId}`;
});

const SNAPSHOT = { version: 1, sealed: Buffer.from('sealed') };

/** A connected number whose session was last started from this volume. */
async function numberOn(volumeId: string) {
  const { accountId } = await makeAccount(database);
  const numberId = await makeNumber(database, { accountId });
  const holding = await linkAsWorker(database, { numberId });
  await takeUpProfile(database, holding, { volumeId, host: 'alder', generation: 1 });
  return { number: { accountId, numberId, actor: CLI }, holding };
}

const loseWorker = ({ numberId }: Holding) =>
  database.sql`update leases set expires_at = clock_timestamp() - interval '1 second' where number_id = ${numberId}`;

const claimOn = async (volumeId: string, { numberId }: Holding) => {
  const claimed = await claimLeases(database, { workerId: newId('worker'), volumeId, most: 100, free: 100 });
  return claimed.some((lease) => lease.numberId === numberId);
};

test('only a worker that sees a dead worker’s volume takes over its number', async () => {
  const { holding } = await numberOn('vol_a');
  expect(await claimOn('vol_a', holding)).toBe(false); // its lease has not expired
  await loseWorker(holding);
  expect(await claimOn('vol_b', holding)).toBe(false);
  expect(await claimOn('vol_a', holding)).toBe(true);
});

test('after a clean stop the session continues on any worker, once', async () => {
  const { holding } = await numberOn('vol_a');
  await writeSnapshot(database, holding, SNAPSHOT);
  await loseWorker(holding);
  expect(await claimOn('vol_b', holding)).toBe(true);
  // The other worker has started from the snapshot and died, so the snapshot is out of date.
  const [next] = await database.sql<Holding[]>`
    select number_id as "numberId", worker_id as "workerId", fence::int from leases where number_id = ${holding.numberId}`;
  if (!next) throw new Error('no lease');
  await takeUpProfile(database, next, { volumeId: 'vol_b', host: 'birch', generation: 2 });
  await loseWorker(next);
  expect(await claimOn('vol_a', next)).toBe(false);
  // A snapshot of an earlier start is out of date as well, if it comes back.
  await database.sql`
    update profiles set snapshot = ${SNAPSHOT.sealed}, snapshot_version = 1, snapshot_generation = 1 where number_id = ${next.numberId}`;
  expect(await claimOn('vol_a', next)).toBe(false);
});

test('a worker that has lost its lease leaves no snapshot', async () => {
  const { holding } = await numberOn('vol_a');
  await loseWorker(holding);
  expect(await claimOn('vol_a', holding)).toBe(true);
  await writeSnapshot(database, holding, SNAPSHOT);
  const [row] = await database.sql`select snapshot from profiles where number_id = ${holding.numberId}`;
  expect(row).toEqual({ snapshot: null });
});

test('a number that waits for a server says which one and since when, and can be linked again without it', async () => {
  const { number, holding } = await numberOn('vol_gone');
  await expect(openLinking({ database, ...number }, number)).rejects.toMatchObject({
    code: 'already_exists',
  });
  await loseWorker(holding);
  await markStranded(database.db);
  const waiting = await getNumber({ database, ...number }, number);
  expect(waiting).toMatchObject({
    status: 'RECONNECTING',
    stranded: true,
    statusReason: expect.stringContaining('server alder'),
  });
  await openLinking({ database, ...number }, number);
  expect((await getNumber({ database, ...number }, number)).stranded).toBe(false);
  expect(await claimOn('vol_b', holding)).toBe(true);
});

test('a number waits for no server while a worker on its volume is alive', async () => {
  const { number, holding } = await numberOn('vol_alive');
  await database.sql`insert into processes (id, kind, host, pid, volume_id) values ('wrk_alive', 'worker', 'elm', 7, 'vol_alive')`;
  await loseWorker(holding);
  await markStranded(database.db);
  expect(await getNumber({ database, ...number }, number)).toMatchObject({ stranded: false });
  expect((await getNumber({ database, ...number }, number)).statusReason).toBeNull();
});

import { randomBytes } from 'node:crypto';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { log } from '#server/platform/log.ts';
import { createTestDatabase } from '#server/testing/database.ts';
import { makeAccount, makeNumber } from '#server/testing/domain.ts';
import { profilePath, userDataDir } from '../engine/profile.ts';
import { acquireProfile, COPIES_AT_ONCE, type ProfileParams, releaseProfile } from './acquire-profile.ts';
import { packSnapshot } from './snapshot.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let dataDir: string;
beforeAll(async () => {
  database = await createTestDatabase();
  dataDir = await fs.mkdtemp(path.join(os.tmpdir(), 'wirebird-copies-'));
});
afterAll(async () => {
  await database.drop();
  await fs.rm(dataDir, { recursive: true, force: true });
});

const NUMBERS = 2 * COPIES_AT_ONCE;

/** A number whose profile this worker has acquired, with a session in it. */
async function heldProfile(): Promise<ProfileParams> {
  const { accountId } = await makeAccount(database, 1);
  const numberId = await makeNumber(database, { accountId });
  const holding = { numberId, workerId: 'wrk_copies', fence: 1 };
  await database.sql`
    update leases set worker_id = ${holding.workerId}, fence = 1, expires_at = clock_timestamp() + interval '1 hour'
    where number_id = ${numberId}`;
  const params = { database, holding, profileDir: profilePath(dataDir, numberId), volumeId: 'vol_copies' };
  await acquireProfile(params);
  const file = path.join(userDataDir(params.profileDir), 'Default/IndexedDB/keys.bin');
  await fs.mkdir(path.dirname(file), { recursive: true });
  await fs.writeFile(file, randomBytes(1_000_000));
  return params;
}

test('a worker that stops copies only a few sessions at once, and all in the end', async () => {
  const profiles = await Promise.all(Array.from({ length: NUMBERS }, heldProfile));
  const { sql } = database;
  const written = async () => {
    const [row] = await sql<
      { n: number }[]
    >`select count(*)::int as n from profiles where snapshot is not null`;
    return row?.n;
  };
  const released = await sql.begin(async (tx) => {
    await tx`lock table profiles in exclusive mode`;
    const waiting = async () => {
      const [row] = await tx<{ n: number }[]>`
        select count(*)::int as n from pg_locks where relation = 'profiles'::regclass and not granted`;
      return row?.n;
    };
    const all = profiles.map((one) =>
      releaseProfile(one, { linked: true, log, roomBytes: Number.POSITIVE_INFINITY }),
    );
    await expect.poll(waiting).toBe(COPIES_AT_ONCE);
    // This takes as long as another copy would take to come here too.
    for (const { profileDir, holding } of profiles) await packSnapshot(profileDir, holding.numberId);
    expect(await waiting()).toBe(COPIES_AT_ONCE);
    return { all };
  });
  await Promise.all(released.all);
  expect(await written()).toBe(NUMBERS);
});

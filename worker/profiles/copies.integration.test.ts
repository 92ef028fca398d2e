import { randomBytes } from 'node:crypto';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { log } from '#server/platform/log.ts';
import { testDatabase } from '#server/testing/database.ts';
import { makeAccount, makeNumber } from '#server/testing/domain.ts';
import { profilePath, userDataDir } from '../engine/profile.ts';
import {
  acquireProfile,
  COPIES_AT_ONCE,
  type ProfileParams,
  releaseProfile,
  restoreGoodCopy,
} from './acquire-profile.ts';
import { packSnapshot } from './snapshot.ts';

const database = testDatabase();
let dataDir: string;
beforeAll(async () => {
  dataDir = await fs.mkdtemp(path.join(os.tmpdir(), 'wirebird-copies-'));
});
afterAll(() => fs.rm(dataDir, { recursive: true, force: true }));

const NUMBERS = 2 * COPIES_AT_ONCE;

const keysOf = ({ profileDir }: ProfileParams) =>
  path.join(userDataDir(profileDir), 'Default/IndexedDB/keys.bin');
const RELEASE = { linked: true, log, roomBytes: Number.POSITIVE_INFINITY };

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
  const file = keysOf(params);
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
    const all = profiles.map((one) => releaseProfile(one, RELEASE));
    await expect.poll(waiting).toBe(COPIES_AT_ONCE);
    // This takes as long as another copy would take to come here too.
    for (const { profileDir, holding } of profiles) await packSnapshot(profileDir, holding.numberId);
    expect(await waiting()).toBe(COPIES_AT_ONCE);
    return { all };
  });
  await Promise.all(released.all);
  expect(await written()).toBe(NUMBERS);
});

test('a worker that ends while it restores a good copy leaves the copy for the next start', async () => {
  const profile = await heldProfile();
  const keys = await fs.readFile(keysOf(profile));
  await releaseProfile(profile, RELEASE);
  expect(await acquireProfile(profile)).toBe('here');
  await fs.rm(userDataDir(profile.profileDir), { recursive: true });
  const disk = vi.spyOn(fs, 'writeFile').mockRejectedValue(new Error('the worker has ended'));
  await expect(restoreGoodCopy(profile)).rejects.toThrow('the worker has ended');
  disk.mockRestore();
  expect(await acquireProfile(profile)).toBe('snapshot');
  expect(await fs.readFile(keysOf(profile))).toEqual(keys);
});

test('a session whose mark is lost stays, if no other volume can have had it', async () => {
  const profile = await heldProfile();
  const keys = await fs.readFile(keysOf(profile));
  await fs.rm(path.join(profile.profileDir, 'generation'));
  expect(await acquireProfile(profile)).toBe('here');
  await fs.writeFile(path.join(profile.profileDir, 'generation'), Buffer.alloc(7));
  expect(await acquireProfile(profile)).toBe('here');
  expect(await fs.readFile(keysOf(profile))).toEqual(keys);
});

test('a removal that is interrupted leaves the mark, so that no session starts from the rest', async () => {
  const profile = await heldProfile();
  await database.sql`
    update profiles set generation = generation + 5 where number_id = ${profile.holding.numberId}`;
  const rm = fs.rm;
  const removed: string[] = [];
  const disk = vi.spyOn(fs, 'rm').mockImplementation(async (target, options) => {
    removed.push(String(target));
    if (removed.length > 1) throw new Error('the worker has ended');
    return rm(target, options);
  });
  await expect(acquireProfile(profile)).rejects.toThrow('the worker has ended');
  disk.mockRestore();
  expect(await acquireProfile(profile)).toBe('stale');
  expect(await fs.readdir(profile.profileDir)).toEqual(['generation']);
});

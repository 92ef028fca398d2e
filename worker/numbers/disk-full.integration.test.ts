import fs from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openLinking } from '#server/numbers/link-number.ts';
import { readiness } from '#server/operations/readiness.ts';
import { CLI, makeNumber } from '#server/testing/domain.ts';
import { userDataDir } from '../engine/profile.ts';
import { type FleetWorld, startFleetWorld } from '../testing/fleet.ts';
import { LENT_STOP_MIB } from '../testing/lent-disk.ts';
import { until } from '../testing/world.ts';
import type { Supervisor } from './leases/supervisor.ts';

/** What happens to numbers when the disk is full, and to a profile that is damaged or cannot be read. */

const FULL_MIB = LENT_STOP_MIB - 1;
const STILL_FULL_MIB = LENT_STOP_MIB + 1;
const ROOM_MIB = LENT_STOP_MIB * 10;

let world: FleetWorld;
let one: Supervisor;
const numbers: string[] = [];

beforeAll(async () => {
  world = await startFleetWorld();
  one = await world.startWorker('one');
  for (let n = 0; n < 3; n++) numbers.push(await world.addLinkedNumber());
});
afterAll(() => world.stop());

async function seen(numberId: string): Promise<{ status: string; reason: string | null }> {
  const [row] = await world.database.sql<{ reason: string | null }[]>`
    select cause ->> 'code' as reason from numbers where id = ${numberId}`;
  return { status: await world.statusOf(numberId), reason: row?.reason ?? null };
}

const all = (status: string) =>
  until(async () => (await Promise.all(numbers.map(world.statusOf))).every((is) => is === status));
const unheld = () => until(async () => (await world.spread(one)).join() === '0');
const diskPart = async () => (await readiness(world)).parts.disk;

test('a disk that fills up stops every session cleanly, is reported, and sessions resume when there is space, repeatedly', async () => {
  for (let cycle = 0; cycle < 3; cycle++) {
    await world.disk('one').leave(FULL_MIB);
    await unheld();
    for (const numberId of numbers)
      expect(await seen(numberId)).toEqual({ status: 'RECONNECTING', reason: 'disk_full' });
    await expect(world.send(numbers[0] ?? '')).rejects.toMatchObject({
      code: 'not_connected',
      details: { numberStatus: 'RECONNECTING', retryAfterSeconds: 15 },
    });
    expect(await diskPart()).toBe(false);
    // A little more room is not enough: sessions would start and stop repeatedly.
    await world.disk('one').leave(STILL_FULL_MIB);
    expect(await world.spread(one)).toEqual([0]);
    await world.disk('one').leave(ROOM_MIB);
    await all('CONNECTED');
    expect(await diskPart()).toBe(true);
    for (const numberId of numbers) await world.send(numberId);
  }
  expect(world.network.rewound).toBe(0);
});

test('a worker that starts on a full disk starts no session, and its numbers say why', async () => {
  await world.stopWorker(one);
  await world.database.sql`update numbers set cause = null where id = any(${numbers})`;
  await world.disk('one').leave(FULL_MIB);
  one = await world.startWorker('one');
  await until(async () => (await seen(numbers[0] ?? '')).reason === 'disk_full');
  expect(await seen(numbers[1] ?? '')).toEqual({ status: 'RECONNECTING', reason: 'disk_full' });
  expect(await world.spread(one)).toEqual([0]);
  await world.disk('one').leave(ROOM_MIB);
  await all('CONNECTED');
});

test('numbers on a full disk move to a worker with free space, with their sessions', async () => {
  const two = await world.startWorker('two');
  await until(async () => (await world.spread(one, two)).join() !== '3,0');
  await world.disk('one').leave(FULL_MIB);
  await until(async () => (await world.spread(one, two)).join() === '0,3');
  await all('CONNECTED');
  expect(await diskPart()).toBe(true);
  await world.disk('one').leave(ROOM_MIB);
  await world.stopWorker(two);
  await all('CONNECTED');
  expect(world.network.rewound).toBe(0);
});

test('a profile damaged while it is unused is restored from its last good copy', async () => {
  const [numberId = ''] = numbers;
  await world.stopWorker(one);
  await damage(numberId);
  one = await world.startWorker('one');
  await all('CONNECTED');
  await world.send(numberId);
  expect(world.network.rewound).toBe(0);
});

test('a copy that a full disk did not take is restored once there is space', async () => {
  const [numberId = ''] = numbers;
  await world.stopWorker(one);
  await damage(numberId);
  const writeFile = fs.writeFile;
  let refused = 0;
  const disk = vi.spyOn(fs, 'writeFile').mockImplementation(async (file, ...more) => {
    const isSession = String(file).startsWith(userDataDir(world.profileDir('one', numberId)));
    if (!isSession || refused++ > 0) return writeFile(file, ...more);
    throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
  });
  try {
    one = await world.startWorker('one');
    await all('CONNECTED');
  } finally {
    disk.mockRestore();
  }
  expect(refused).toBeGreaterThan(1);
  await world.send(numberId);
  expect(world.network.rewound).toBe(0);
});

test('a copy is not restored once the session has continued, and the phone is not named as the cause', async () => {
  const [numberId = ''] = numbers;
  await damage(numberId);
  world.network.kill(numberId);
  await until(async () => (await world.statusOf(numberId)) === 'LOGGED_OUT');
  expect(await seen(numberId)).toEqual({ status: 'LOGGED_OUT', reason: 'link_gone' });
  expect(world.network.rewound).toBe(0);
});

test('a device removed while its session was stopped is reported as unlinked by WhatsApp', async () => {
  const numberId = numbers[1] ?? '';
  await world.stopWorker(one);
  world.network.unlink(numberId);
  one = await world.startWorker('one');
  await until(async () => (await world.statusOf(numberId)) === 'LOGGED_OUT');
  expect(await seen(numberId)).toEqual({ status: 'LOGGED_OUT', reason: 'logged_out' });
});

test('a number whose profile cannot be read shows why, and connects once it can', async () => {
  await world.stopWorker(one);
  await showsWhy(numbers[2] ?? '', async () => {
    one = await world.startWorker('one');
  });
});

test('a number whose profile can no longer be used while it is connected shows why, and connects once it can', async () => {
  const numberId = numbers[2] ?? '';
  await showsWhy(numberId, async () => world.network.kill(numberId));
});

test('a new number whose profile cannot be made shows why instead of a code', async () => {
  const { database, accountId } = world;
  const numberId = await makeNumber(database, { accountId });
  const profileDir = world.profileDir('one', numberId);
  await fs.writeFile(profileDir, 'a file in place of the directory');
  await openLinking({ database, accountId, actor: CLI }, { numberId });
  await until(async () => (await seen(numberId)).reason === 'profile_unusable');
  expect(await seen(numberId)).toEqual({ status: 'LINKING', reason: 'profile_unusable' });
  await fs.rm(profileDir);
  await until(async () => (await seen(numberId)).reason === null);
  expect(await world.statusOf(numberId)).toBe('LINKING');
});

/** Starts a number's session while its profile cannot be opened, and again when it can. */
async function showsWhy(numberId: string, start: () => Promise<void>): Promise<void> {
  const profileDir = world.profileDir('one', numberId);
  await fs.rename(profileDir, `${profileDir}.away`);
  await fs.writeFile(profileDir, 'a file in place of the directory');
  await start();
  await until(async () => (await seen(numberId)).reason === 'profile_unusable');
  expect(await seen(numberId)).toEqual({ status: 'RECONNECTING', reason: 'profile_unusable' });
  await fs.rm(profileDir);
  await fs.rename(`${profileDir}.away`, profileDir);
  await until(async () => (await world.statusOf(numberId)) === 'CONNECTED');
  expect(await seen(numberId)).toEqual({ status: 'CONNECTED', reason: null });
}

/** Deletes the session's storage, as Chromium does with storage that it cannot read. */
async function damage(numberId: string): Promise<void> {
  const storage = path.join(userDataDir(world.profileDir('one', numberId)), 'Default/IndexedDB');
  await fs.rm(storage, { recursive: true });
}

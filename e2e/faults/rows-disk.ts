import fs from 'node:fs/promises';
import path from 'node:path';
import { readiness } from '#server/operations/readiness.ts';
import { processesOf, profilePath, userDataDir } from '#worker/engine/profile.ts';
import type { Running } from './child.ts';
import type { FaultNumber } from './numbers.ts';
import { expectFate, fateOf } from './oracle.ts';
import { post } from './post.ts';
import { ACCEPTED, type Posts, type Row, reasonOf } from './row.ts';
import { SmallVolume } from './small-volume.ts';
import { until } from './until.ts';
import { DISK_FREE_MIB_MIN, type World } from './world.ts';

/** Faults of the disk with the profiles: it fills up, and its files are damaged. */

const SIZE_MIB = 4 * DISK_FREE_MIB_MIN;
/** Less than sessions need, but enough to end them. */
const SHORT_MIB = DISK_FREE_MIB_MIN / 2;
const BACK_WITHIN_MS = 60_000;

interface OnSmallVolume {
  volume: SmallVolume;
  worker: Running;
  dataDir: string;
  numbers: FaultNumber[];
}

/** Runs two numbers on a worker whose profiles are on a small volume. */
async function onSmallVolume(world: World, run: (small: OnSmallVolume) => Promise<string>): Promise<string> {
  const numbers = [await world.number(0), await world.number(1)];
  const name = `small-${Date.now().toString(36)}`;
  const dataDir = path.join(world.dataDir, `volume-${name}`);
  const worker = await world.newWorker({ volume: name, line: await world.newLine() });
  const volume = await volumeOfProfiles(dataDir);
  try {
    await world.worker.end('SIGTERM');
    await worker.start();
    for (const number of numbers) await world.untilStatus(number, 'CONNECTED', BACK_WITHIN_MS);
    return await run({ volume, worker, dataDir, numbers });
  } finally {
    volume.free();
    await worker.end('SIGTERM');
    volume.remove();
  }
}

/** A volume for profiles and message files. */
async function volumeOfProfiles(dataDir: string): Promise<SmallVolume> {
  const place = path.join(dataDir, 'profiles');
  const volume = new SmallVolume(place, SIZE_MIB);
  await fs.mkdir(path.join(place, 'media'), { mode: 0o700 });
  await fs.symlink(path.join(place, 'media'), path.join(dataDir, 'media'));
  return volume;
}

/** Resolves when the numbers say that the disk is full and no browser runs. */
async function untilDisconnected(world: World, { dataDir, numbers }: OnSmallVolume): Promise<void> {
  for (const number of numbers) {
    const { numberId } = number;
    const says = async () => (await reasonOf(world, number)) === 'disk_full';
    await until(`${numberId} says that the disk is full`, says, BACK_WITHIN_MS);
    await world.untilStatus(number, 'RECONNECTING');
    await until(
      `the browser of ${numberId} has ended`,
      () => processesOf(profilePath(dataDir, numberId)).length === 0,
    );
  }
}

async function expectNumbersSend(
  world: World,
  posts: Posts,
  numbers: readonly FaultNumber[],
): Promise<string> {
  let seen = '';
  for (const number of numbers) {
    await world.untilStatus(number, 'CONNECTED', BACK_WITHIN_MS);
    const fate = await fateOf(world, posts(post(world, number)));
    seen = expectFate(fate, { callers: ['200'], stored: ACCEPTED, delivered: [1] });
    const [{ lost = 0 } = {}] = await world.database.sql<{ lost: number }[]>`
      select count(*)::int as lost from number_events where number_id = ${number.numberId} and status = 'LOGGED_OUT'`;
    if (lost > 0) throw new Error(`${number.numberId} has lost its link`);
  }
  return seen;
}

export const DISK_ROWS: Row[] = [
  {
    name: 'disk-fills-again',
    fault: 'the disk of the profiles fills up, is freed and fills up again',
    transports: ['chromium'],
    run: (world, posts) =>
      onSmallVolume(world, async (small) => {
        const { volume, numbers } = small;
        // First partly, so that it is noticed in time; then to the last byte.
        for (const leaveMib of [SHORT_MIB, 0]) {
          volume.fill(leaveMib);
          await untilDisconnected(world, small);
          await until('/readyz names the disk', async () => {
            const { missing } = await readiness(world);
            return missing.includes('disk');
          });
          for (const number of numbers) {
            const refused = await fateOf(world, posts(post(world, number)));
            expectFate(refused, { callers: ['409'], stored: ['nothing'], delivered: [0] });
          }
          volume.free();
          await expectNumbersSend(world, posts, numbers);
        }
        return '409 while it was full, then 200 / sent / 1, no link lost';
      }),
  },
  {
    name: 'disk-full-killed',
    fault: 'worker and browsers SIGKILL on a disk filled to the last byte, then started on it',
    transports: ['chromium'],
    long: true,
    run: (world, posts) =>
      onSmallVolume(world, async (small) => {
        const { volume, worker, dataDir, numbers } = small;
        volume.fill(0);
        const browsers = numbers.flatMap(({ numberId }) => processesOf(profilePath(dataDir, numberId)));
        await worker.end('SIGKILL');
        for (const { pid } of browsers) kill(pid);
        await worker.start();
        await untilDisconnected(world, small);
        volume.free();
        return expectNumbersSend(world, posts, numbers);
      }),
  },
  {
    name: 'profile-damaged-stopped',
    fault: 'storage of a profile damaged while its worker is stopped',
    transports: ['chromium'],
    async run(world, posts, seed) {
      const number = await world.number();
      await world.worker.end('SIGTERM');
      await damage(world, number, seed);
      await world.worker.start();
      return `restored from its copy: ${await expectNumbersSend(world, posts, [number])}`;
    },
  },
  {
    name: 'profile-damaged-killed',
    fault: 'storage of a profile damaged after its worker was killed: no safe copy',
    transports: ['chromium'],
    long: true,
    async run(world) {
      const number = await world.freshNumber();
      await world.worker.end('SIGKILL');
      await until(
        'its browser has ended',
        () => processesOf(profilePath(world.dataDir, number.numberId)).length === 0,
      );
      await damage(world, number, 0);
      await world.worker.start();
      await world.untilStatus(number, 'LOGGED_OUT', BACK_WITHIN_MS);
      const reason = await reasonOf(world, number);
      if (reason !== 'link_gone') throw new Error(`the reason is "${reason}"`);
      return 'LOGGED_OUT, the phone is not named as the cause';
    },
  },
];

/** Damages a profile as a full or failing disk does: files deleted, cut off or overwritten. */
async function damage(world: World, { numberId }: FaultNumber, seed: number): Promise<void> {
  const storage = path.join(userDataDir(profilePath(world.dataDir, numberId)), 'Default/IndexedDB');
  if (seed % 3 === 0) return fs.rm(storage, { recursive: true });
  const entries = await fs.readdir(storage, { recursive: true, withFileTypes: true });
  for (const entry of entries.filter((one) => one.isFile())) {
    const file = path.join(entry.parentPath, entry.name);
    if (seed % 3 === 1) await fs.truncate(file, 0);
    else await fs.writeFile(file, Buffer.alloc((await fs.stat(file)).size, 'x'));
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

import fs from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type ProcessEntry, processTable, withDescendants } from './process-table.ts';

/** How long killed processes may take to be gone, in ms. */
const GONE_MS = 5_000;
const POLL_MS = 10;

/** The profile of a number, under the data directory of its worker. */
export function profilePath(dataDir: string, numberId: string): string {
  if (!/^[\w-]+$/.test(numberId)) throw new Error(`not a number's id: ${numberId}`);
  return path.resolve(dataDir, 'profiles', numberId);
}

/** What the browser is given as `--user-data-dir`; the library appends the name. */
export function userDataDir(profileDir: string): string {
  return path.join(profileDir, 'session');
}

/** Makes the directory, for its user alone: it holds what it takes to send as this number. */
export async function prepareProfile(profileDir: string): Promise<void> {
  await fs.mkdir(profileDir, { recursive: true, mode: 0o700 });
  await fs.chmod(profileDir, 0o700);
}

/** What a browser writes while it starts, with some to spare. */
const ROOM_BYTES = 1024 * 1024;

/**
 * Rejects when the disk has no room for a browser to write to its profile: it would end without saying why, or
 * lose its link unsaid.
 */
export async function demandRoom(profileDir: string): Promise<void> {
  const file = path.join(profileDir, 'room');
  try {
    await fs.writeFile(file, Buffer.alloc(ROOM_BYTES), { mode: 0o600 });
  } finally {
    await fs.rm(file, { force: true });
  }
}

/** Did this fail for want of room on the disk? */
export function isDiskFull(error: unknown): boolean {
  for (let one = error; one instanceof Error; one = one.cause)
    if ('code' in one && ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(String(one.code))) return true;
  return false;
}

/** Removes a profile whose browser has ended. */
export async function removeProfile(profileDir: string): Promise<void> {
  await fs.rm(profileDir, { recursive: true, force: true, maxRetries: 4, retryDelay: 100 });
}

/**
 * Removes the locks that a browser left which was killed, here or on another machine. Only for the holder of
 * the number's lease, after {@link sweepProfile}: with a live browser behind it a lock must stay.
 */
export async function clearStaleLocks(profileDir: string): Promise<void> {
  for (const name of ['SingletonLock', 'SingletonSocket', 'SingletonCookie']) {
    await fs.rm(path.join(userDataDir(profileDir), name), { force: true });
  }
}

/**
 * Kills every browser that still runs on a profile, as a killed worker may leave one, and resolves with the
 * number of processes when they are gone. Told apart by the exact path, so that no other profile's browser
 * is hit. Only for the holder of the number's lease: a worker that has lost it would end its successor's browser.
 * Rejects when they outlive SIGKILL. Does nothing on Windows, where a browser ends with the pipe to its worker.
 */
export function sweepProfile(profileDir: string): Promise<number> {
  return killAll(() => processesOf(profileDir));
}

/** The same for one browser, whichever worker has the profile now: its process group and its descendants. */
export function sweepGroup(group: number): Promise<number> {
  return killAll(() => {
    const table = processTable();
    return withDescendants(
      table.filter((entry) => entry.group === group),
      table,
    );
  });
}

async function killAll(find: () => ProcessEntry[]): Promise<number> {
  const killed = new Set<number>();
  const until = performance.now() + GONE_MS;
  for (;;) {
    const left = find();
    if (left.length === 0) return killed.size;
    if (performance.now() > until) {
      throw new Error(`processes outlive SIGKILL: ${left.map(({ pid }) => pid).join(', ')}`);
    }
    for (const { pid } of left) {
      killed.add(pid);
      kill(pid);
    }
    await delay(POLL_MS);
  }
}

/** The processes of a profile's browser that run right now. */
export function processesOf(profileDir: string): ProcessEntry[] {
  const argument = ` --user-data-dir=${userDataDir(profileDir)} `;
  const table = processTable();
  return withDescendants(
    table.filter((entry) => entry.command.includes(argument)),
    table,
  );
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

import fs from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type ProcessEntry, processTable, withDescendants } from './process-table.ts';

/** Killed processes must end within this time, in ms. */
const KILL_LIMIT_MS = 5_000;
const POLL_MS = 10;

/** The profile directory of a number, below its worker's data directory. */
export function profilePath(dataDir: string, numberId: string): string {
  if (!/^[\w-]+$/.test(numberId)) throw new Error(`not a number's id: ${numberId}`);
  return path.resolve(dataDir, 'profiles', numberId);
}

/** The browser's `--user-data-dir`; the library appends the name. */
export function userDataDir(profileDir: string): string {
  return path.join(profileDir, 'session');
}

/** Creates the directory, readable by its user only: its content is enough to send as this number. */
export async function prepareProfile(profileDir: string): Promise<void> {
  await fs.mkdir(profileDir, { recursive: true, mode: 0o700 });
  await fs.chmod(profileDir, 0o700);
}

/** More than a browser writes while it starts. */
const ROOM_BYTES = 1024 * 1024;

/**
 * Rejects if the disk has no room for a browser to write its profile. Otherwise the browser would end without a
 * reason or lose its link silently.
 */
export async function requireDiskSpace(profileDir: string): Promise<void> {
  const file = path.join(profileDir, 'room');
  try {
    await fs.writeFile(file, Buffer.alloc(ROOM_BYTES), { mode: 0o600 });
  } finally {
    await fs.rm(file, { force: true });
  }
}

/** Did this fail because the disk is full? */
export function isDiskFull(error: unknown): boolean {
  for (let one = error; one instanceof Error; one = one.cause)
    if ('code' in one && ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(String(one.code))) return true;
  return false;
}

/** Did this fail because a file or directory could not be read or written? */
export function isFileError(error: unknown): boolean {
  for (let one = error; one instanceof Error; one = one.cause) {
    const { path: file, syscall = '' } = one as NodeJS.ErrnoException;
    if (file !== undefined && !syscall.startsWith('spawn')) return true;
  }
  return false;
}

/** Removes a profile whose browser has ended: its session first, so that its mark also covers an unfinished removal. */
export async function removeProfile(profileDir: string): Promise<void> {
  for (const directory of [userDataDir(profileDir), profileDir])
    await fs.rm(directory, { recursive: true, force: true, maxRetries: 4, retryDelay: 100 });
}

/**
 * Removes the locks of a browser that was killed, here or on another machine. Only for the holder of the number's
 * lease, after {@link killProfileBrowsers}: the lock of a running browser must stay.
 */
export async function clearStaleLocks(profileDir: string): Promise<void> {
  for (const name of ['SingletonLock', 'SingletonSocket', 'SingletonCookie']) {
    await fs.rm(path.join(userDataDir(profileDir), name), { force: true });
  }
}

/**
 * Kills every browser of this profile, which a killed worker may have left, and resolves with the number of processes.
 * Only for the holder of the number's lease: a worker that lost it would kill its successor's browser. Rejects if
 * they survive SIGKILL. Does nothing on Windows, where a browser ends with the pipe to its worker.
 */
export function killProfileBrowsers(profileDir: string): Promise<number> {
  return killAll(() => processesOf(profileDir));
}

/** Kills one browser by its process group, with its descendants, even if another worker has the profile now. */
export function killProcessGroup(group: number): Promise<number> {
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
  const until = performance.now() + KILL_LIMIT_MS;
  for (;;) {
    const left = find();
    if (left.length === 0) return killed.size;
    if (performance.now() > until) {
      throw new Error(`processes survive SIGKILL: ${left.map(({ pid }) => pid).join(', ')}`);
    }
    for (const { pid } of left) {
      killed.add(pid);
      kill(pid);
    }
    await delay(POLL_MS);
  }
}

/** The running processes of a profile's browser. */
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

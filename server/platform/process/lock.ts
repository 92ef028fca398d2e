import fs from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { isRunning, type ProcessIdentity, pidOf, processIdentity } from './identity.ts';

/** Somebody else, who is alive, holds the lock. */
export class LockHeldError extends Error {
  readonly pid: number | null;
  constructor(path: string, holder: string) {
    const pid = pidOf(holder);
    super(`${path} is held by ${pid === null ? 'another process' : `process ${pid}`}`);
    this.pid = pid;
  }
}

// Between creating the file and writing the name into it a healthy holder needs microseconds.
const NAMELESS_MS = 2_000;
const POLL_MS = 20;

/**
 * Takes a lock between processes: a file that names its holder. The lock of a process that died is taken
 * over, so nobody has to delete a file by hand after `kill -9`.
 *
 * @param waitMs how long to wait for a living holder; 0 tries once.
 * @returns the function that gives the lock back.
 * @throws LockHeldError when a living process still holds it after `waitMs`.
 */
export async function lock(path: string, waitMs = 60_000): Promise<() => void> {
  const me = processIdentity();
  if (!me) throw new Error('the system does not say when this process began');
  const until = performance.now() + waitMs;
  for (;;) {
    if (create(path, me)) return () => fs.rmSync(path, { force: true });
    const holder = holderOf(path);
    if (holder === null) continue;
    if (isStale(path, holder)) {
      // Two processes that both see a dead holder must not both delete the file, or the second one deletes
      // the lock that the first has just taken. So deleting has a lock of its own, by the same rules.
      const unlock = await lock(`${path}.takeover`, waitMs);
      try {
        const now = holderOf(path);
        if (now !== null && isStale(path, now)) fs.rmSync(path, { force: true });
      } finally {
        unlock();
      }
      continue;
    }
    if (performance.now() >= until) throw new LockHeldError(path, holder);
    await delay(POLL_MS);
  }
}

/** Runs `work` under {@link lock} and gives the lock back whatever happens. */
export async function withLock<T>(path: string, work: () => Promise<T>, waitMs?: number): Promise<T> {
  const unlock = await lock(path, waitMs);
  try {
    return await work();
  } finally {
    unlock();
  }
}

function create(path: string, me: ProcessIdentity): boolean {
  try {
    fs.writeFileSync(path, me, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** What the file says; empty while its holder is still writing, null when there is no file. */
function holderOf(path: string): string | null {
  try {
    return fs.readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

function isStale(path: string, holder: string): boolean {
  if (holder !== '') return !isRunning(holder);
  const writtenAt = fs.statSync(path, { throwIfNoEntry: false })?.mtimeMs;
  return writtenAt !== undefined && Date.now() - writtenAt > NAMELESS_MS;
}

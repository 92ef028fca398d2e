import fs from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { isRunning, type ProcessIdentity, pidOf, processIdentity } from './identity.ts';

/** Another living process holds the lock. */
export class LockHeldError extends Error {
  readonly pid: number | null;
  constructor(path: string, holder: string) {
    const pid = pidOf(holder);
    super(`${path} is held by ${pid === null ? 'another process' : `process ${pid}`}`);
    this.pid = pid;
  }
}

// A healthy holder writes its name within microseconds of creating the file.
const NAMELESS_MS = 2_000;
const POLL_MS = 20;

/**
 * Takes a lock between processes: a file that names its holder. The lock of a dead process is taken over, so no
 * file has to be deleted by hand after `kill -9`. Throws {@link LockHeldError} when a living process still holds it
 * after `waitMs`; 0 tries once. Resolves with a function that releases the lock.
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
      // Of two processes that see a dead holder, the second could delete the lock that the first has just taken.
      // So the deletion has its own lock.
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

/** Runs `work` under {@link lock} and always releases it. */
export async function withLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  const unlock = await lock(path);
  try {
    return await work();
  } finally {
    unlock();
  }
}

function create(path: string, me: ProcessIdentity): boolean {
  let file: number;
  try {
    file = fs.openSync(path, 'wx', 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
  try {
    fs.writeFileSync(file, me);
    return true;
  } catch (error) {
    // On a full disk, so that nobody waits for a holder that never gets a name.
    fs.rmSync(path, { force: true });
    throw error;
  } finally {
    fs.closeSync(file);
  }
}

/** The contents of the file; empty while its holder is writing, null without a file. */
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

import fs from 'node:fs';
import path from 'node:path';
import { diskFull, isDiskFull } from '#server/platform/embedded/home.ts';
import { endProcess } from '#server/platform/process/end.ts';
import { LockHeldError, lock } from '#server/platform/process/lock.ts';
import { StartError } from './start-error.ts';

export interface DataDir {
  /** Identities of the running processes, one file each. */
  runDir: string;
  logDir: string;
  release(): void;
}

const LEFTOVER_STOP_MS = 12_000;
const LEFTOVER_KILL_MS = 2_000;

/**
 * Makes the data directory (readable only by its owner), locks it for this start, and ends processes that a killed
 * start left running.
 *
 * @throws StartError if it cannot be written to, or the product already runs on it.
 */
export async function takeDataDir(dataDir: string): Promise<DataDir> {
  const runDir = path.join(dataDir, 'run');
  const logDir = path.join(dataDir, 'logs');
  try {
    for (const dir of [dataDir, runDir, logDir]) fs.mkdirSync(dir, { recursive: true, mode: 0o700 });
    fs.chmodSync(dataDir, 0o700);
    const unlock = await lock(path.join(dataDir, 'start.lock'), 0);
    await endLeftovers(runDir);
    return { runDir, logDir, release: unlock };
  } catch (error) {
    if (error instanceof LockHeldError) {
      throw new StartError(
        `Wirebird is already running on ${dataDir} (process ${error.pid}). Stop it, or set DATA_DIR to another directory.`,
      );
    }
    if (isDiskFull(error)) throw new StartError(diskFull(dataDir));
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EROFS')
      throw new StartError(
        `DATA_DIR ${dataDir} is on a read-only disk. Remount it for writing, or set DATA_DIR to another directory.`,
      );
    throw new StartError(
      `DATA_DIR ${dataDir} is not writable (${code ?? message}). Correct its owner or permissions, or set DATA_DIR to another directory.`,
    );
  }
}

/** Processes whose supervisor was killed stop within seconds; this ends those that did not. */
async function endLeftovers(runDir: string): Promise<void> {
  const ends = fs.readdirSync(runDir).map(async (name) => {
    const file = path.join(runDir, name);
    const identity = fs.readFileSync(file, 'utf8').trim();
    if (!(await endProcess(identity, 'SIGTERM', LEFTOVER_STOP_MS))) {
      await endProcess(identity, 'SIGKILL', LEFTOVER_KILL_MS);
    }
    fs.rmSync(file, { force: true });
  });
  await Promise.all(ends);
}

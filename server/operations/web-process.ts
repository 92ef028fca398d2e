import os from 'node:os';
import { newId } from '#server/core/id.ts';
import type { Database } from '#server/platform/db/client.ts';
import { log } from '#server/platform/log.ts';
import { singleton } from '#server/platform/singleton.ts';
import { forgetProcesses, processesOnHost, removeProcess, writeProcess } from './queries/processes.ts';

/** This web process, as the messages name it whose callers it holds. */
export const webProcessId = singleton('web process', () => newId('web'));

/** An equal request in another process waits for the next one. */
const BEAT_MS = 1000;

/**
 * Gives this process's sign of life until stopped, and forgets processes of this machine that are gone, so
 * that their callers' repeats are recognised at once. Resolves after the first sign.
 */
export async function beatAsWeb(database: Database): Promise<() => Promise<void>> {
  const id = webProcessId();
  await forgetDeadProcesses(database, 'web');
  const beat = () => writeProcess(database, { id, kind: 'web', host: os.hostname(), pid: process.pid });
  await beat();
  const timer = setInterval(() => {
    beat().catch((error: unknown) => log.warn({ err: error }, 'sign of life not written'));
  }, BEAT_MS);
  return async () => {
    clearInterval(timer);
    await removeProcess(database, { id }).catch(() => {});
  };
}

/** Forgets processes of this machine that are gone, and any that were not seen for a day. */
export async function forgetDeadProcesses(database: Database, kind: 'web' | 'worker'): Promise<void> {
  const known = await processesOnHost(database, { kind, host: os.hostname() });
  const ids = known.filter(({ pid }) => pid === process.pid || !isAlive(pid)).map(({ id }) => id);
  await forgetProcesses(database, { ids });
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

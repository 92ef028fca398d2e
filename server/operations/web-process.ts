import os from 'node:os';
import { setTimeout as delay, setImmediate } from 'node:timers/promises';
import { AppError } from '#server/core/errors.ts';
import { newId } from '#server/core/id.ts';
import { allHangUpsRecorded } from '#server/messages/hang-ups.ts';
import { retryUntil } from '#server/messages/retry-until.ts';
import type { InstallationContext } from '#server/platform/db/context.ts';
import { log } from '#server/platform/log.ts';
import { pidSpace } from '#server/platform/process/identity.ts';
import { singleton } from '#server/platform/singleton.ts';
import {
  databaseTime,
  forgetProcesses,
  hasUnrecorded,
  type ProcessSign,
  processesHere,
  removeProcess,
  writeAlive,
  writeProcess,
} from './queries/processes.ts';

/** The id of this web process, which the messages of its callers store. */
export const webProcessId = singleton('web process', () => newId('web'));

/** An equal request in another process waits for the next one. */
const BEAT_MS = 1000;

/** How long a start waits for a slow database. The supervisor gives a process 90 s. */
const START_MS = 60_000;

/** The end of a connection is reported one turn of the event loop after it was read. */
const SOCKET_TURNS = 3;

/**
 * Writes this process's signs of life until stopped, and deletes ended processes of this machine, so that repeats
 * of their callers are recognised at once. Resolves after the first sign.
 */
export async function beatAsWeb({ database }: InstallationContext): Promise<() => Promise<void>> {
  const id = webProcessId();
  await forgetDeadProcesses({ database }, 'web');
  const sign = { id, kind: 'web', host: os.hostname(), pid: process.pid, pidSpace: pidSpace() } as const;
  await onceAnswered(() => writeProcess(database, sign));
  const stopping = new AbortController();
  const beating = (async () => {
    while (!stopping.signal.aborted) {
      await delay(BEAT_MS, undefined, { signal: stopping.signal, ref: false }).catch(() => {});
      if (stopping.signal.aborted) return;
      await beat({ database }, sign).catch((error: unknown) =>
        log.warn({ err: error }, 'sign of life not written'),
      );
    }
  })();
  return async () => {
    stopping.abort();
    await Promise.race([beating, delay(BEAT_MS, undefined, { ref: false })]);
    await removeProcess(database, { id }).catch(() => {});
  };
}

/**
 * Writes a sign of life with a time before which all hang-ups are recorded: a repeat elsewhere would be sent twice if a
 * delayed process reported a time before it sees a hang-up. While they take long, says only that the process is alive.
 */
export async function beat({ database }: InstallationContext, sign: ProcessSign): Promise<void> {
  const seenAt = await databaseTime(database);
  for (let turn = 0; turn < SOCKET_TURNS; turn++) await setImmediate();
  const recorded = allHangUpsRecorded().then(() => true);
  while (!(await Promise.race([recorded, delay(BEAT_MS, false, { ref: false })])))
    await writeAlive(database, sign);
  await writeProcess(database, { ...sign, seenAt });
}

/** Whether another web process may still admit a request whose caller hung up before `ageMs` ago. */
export function othersMayAdmit(
  { database }: InstallationContext,
  { ageMs }: { ageMs: number },
): Promise<boolean> {
  return hasUnrecorded(database, { besides: webProcessId(), ageMs });
}

/**
 * Deletes ended processes of this machine, and all without a sign of life for a day. Waits up to 60 s for a
 * database that does not answer, then throws `unavailable`.
 */
export async function forgetDeadProcesses(
  { database }: InstallationContext,
  kind: 'web' | 'worker',
): Promise<void> {
  await onceAnswered(async () => {
    const known = await processesHere(database, { kind, host: os.hostname(), pidSpace: pidSpace() });
    const ids = known.filter(({ pid }) => pid === process.pid || !isAlive(pid)).map(({ id }) => id);
    await forgetProcesses(database, { ids });
  });
}

/** A process that starts while the database is slow waits for it instead of ending. */
function onceAnswered<T>(work: () => Promise<T>): Promise<T> {
  return retryUntil(
    work,
    performance.now() + START_MS,
    () => new AppError('unavailable', 'The database did not answer for 60 s. This process did not start.'),
    'the database does not answer yet; the start waits',
  );
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

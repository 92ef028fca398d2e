import type { NoRoom } from '#server/core/sqlstate.ts';
import type { Database } from '#server/platform/db/client.ts';
import type { InstallationContext } from '#server/platform/db/context.ts';
import { levelOf, stopBelowBytes } from '#server/platform/disk/levels.ts';
import { placesOf } from '#server/platform/disk/places.ts';
import { readVolumes } from '#server/platform/disk/volumes.ts';
import { log } from '#server/platform/log.ts';
import { clientBoss } from '#server/platform/queue/boss.ts';
import { sandboxClient } from '#server/sandbox/client.ts';
import { settings } from '#server/settings.ts';
import { hasRoomForSessions, isWorkerAlive } from './queries/operator.ts';

/** Shorter than load balancers wait. */
const CHECK_MS = 3_000;

type Part = 'database' | 'queue' | 'worker' | 'disk' | 'sandbox';

export interface Readiness {
  ready: boolean;
  /** Whether each part of this installation is ready. */
  parts: Partial<Record<Part, boolean>>;
  missing: Part[];
  /** Why a part is missing, if that is known. */
  reasons: Partial<Record<Part, string>>;
}

const NO_ROOM: Record<NoRoom, string> = {
  disk: 'The database could not write to its disk: it is full or broken. Make room on it.',
  memory: 'The database has no memory left. Give it more, or reduce what it uses.',
  connections: 'The database has no free connections. Raise max_connections, or run fewer processes.',
  other: 'The database has reached one of its own limits. Its log says which.',
};

const READ_ONLY =
  'The database is read-only: it is a standby, or default_transaction_read_only is on. Nothing can be sent.';

class NotReady extends Error {}

/** Whether everything that a message needs is ready. Never rejects; answers within 3 s. */
export async function readiness({ database }: InstallationContext): Promise<Readiness> {
  const checks: [Part, () => Promise<unknown>][] = [
    ['database', () => requireDatabase(database)],
    ['queue', () => clientBoss(database).then((boss) => boss.schemaVersion())],
    ['worker', () => requireWorker(database)],
    ['disk', () => requireRoom(database)],
  ];
  if (settings.sandbox) checks.push(['sandbox', () => sandboxClient().config()]);
  const parts: Readiness['parts'] = {};
  const reasons: Readiness['reasons'] = {};
  await Promise.all(
    checks.map(async ([part, check]) => {
      const problem = await problemOf(part, check);
      parts[part] = problem === null;
      if (problem instanceof NotReady) reasons[part] = problem.message;
    }),
  );
  const missing = checks.map(([part]) => part).filter((part) => !parts[part]);
  return { ready: missing.length === 0, parts, missing, reasons };
}

/** Asks over the pages' connections: busy connections for sending do not make this process unready. */
async function requireDatabase({ sql, bossSql, forPages }: Database): Promise<void> {
  const find = () => [sql, bossSql, forPages.sql].map((pool) => pool.noRoom()).find((of) => of !== null);
  const asked = forPages.sql<{ transaction_read_only: string }[]>`show transaction_read_only`;
  const rows = await asked.catch((error: unknown) => {
    if (!find()) throw error;
    return [];
  });
  const of = find();
  if (of) throw new NotReady(NO_ROOM[of]);
  if (rows[0]?.transaction_read_only === 'on') throw new NotReady(READ_ONLY);
}

async function requireWorker(database: Database): Promise<void> {
  if (!(await isWorkerAlive(database.forPages.db))) throw new Error('no worker has been seen lately');
}

/** On the disks of this process, and on those of at least one worker. */
async function requireRoom(database: Database): Promise<void> {
  for (const volume of await readVolumes(placesOf())) {
    const stopBytes = settings.diskFreeBytesMin ?? stopBelowBytes(volume.totalBytes);
    if (levelOf(volume, 'ok', stopBytes) === 'full')
      throw new NotReady('A disk is full. "cli doctor" says which.');
  }
  if (!(await hasRoomForSessions(database.forPages.db)))
    throw new NotReady('No worker has room on its disk for sessions.');
}

async function problemOf(part: Part, check: () => Promise<unknown>): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('no answer in time')), CHECK_MS);
  });
  try {
    await Promise.race([check(), late]);
    return null;
  } catch (error) {
    log.debug({ err: error, part }, 'not ready');
    return error;
  } finally {
    clearTimeout(timer);
  }
}

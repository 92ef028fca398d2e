import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import type { NoRoom } from '#server/core/sqlstate.ts';
import { causeText } from '#server/numbers/cause-text.ts';
import type { Database } from '#server/platform/db/client.ts';
import type { InstallationContext } from '#server/platform/db/context.ts';
import { levelOf, stopBelowBytes } from '#server/platform/disk/levels.ts';
import { placesOf } from '#server/platform/disk/places.ts';
import { readVolumes } from '#server/platform/disk/volumes.ts';
import { log } from '#server/platform/log.ts';
import { clientBoss } from '#server/platform/queue/boss.ts';
import { sandboxClient } from '#server/sandbox/client.ts';
import { settings } from '#server/settings.ts';
import { publicWaitsText } from './database-waits-text.ts';
import { findWaits, tryCommit } from './queries/database-waits.ts';
import { findBrowserFailure } from './queries/not-connecting.ts';
import { hasRoomForSessions, isWorkerAlive } from './queries/operator.ts';

/** Shorter than load balancers wait. */
const CHECK_MS = 3_000;
/** A check that takes longer is looked into while it waits. */
const SLOW_MS = 2_300;

type Part = 'database' | 'queue' | 'worker' | 'disk' | 'sandbox';

export interface Readiness {
  ready: boolean;
  /** Whether each part of this installation is ready. */
  parts: Partial<Record<Part, boolean>>;
  missing: Part[];
  /** Why each missing part is missing. */
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

/** Of a part whose check failed without a reason of its own. */
const FAILED: Record<Part, string> = {
  database: 'The database cannot be reached. "cli doctor" says why.',
  queue: 'The job queue in the database does not answer.',
  worker: 'No worker has been seen for 15 s. Start one, or read its log.',
  disk: 'A disk cannot be checked. "cli doctor" says which.',
  sandbox: 'The sandbox does not answer. Start it, or set SANDBOX=off.',
};
const NO_COMMIT = 'The database did not commit a trial within 2 s. "cli doctor" says more.';
/** Running workers look stopped while nothing can be saved. */
const AFTER_DATABASE = 'Not known while the database is not ready.';

class NotReady extends Error {}

/** Whether everything that a message needs is ready, and why not. Never rejects; answers within 3 s. */
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
      const problem = await problemOf(database, { part, check });
      parts[part] = problem === null;
      if (problem !== null) reasons[part] = problem;
    }),
  );
  if (!parts.database && reasons.worker === FAILED.worker) reasons.worker = AFTER_DATABASE;
  const missing = checks.map(([part]) => part).filter((part) => !parts[part]);
  return { ready: missing.length === 0, parts, missing, reasons };
}

/** Asks over the pages' connections: busy connections for sending do not make this process unready. */
async function requireDatabase({ pool, bossPool, forPages }: Database): Promise<void> {
  const find = () => [pool, bossPool, forPages.pool].map((one) => one.noRoom()).find((of) => of !== null);
  const asked = forPages.db.run<{ transaction_read_only: string }>(sql`show transaction_read_only`);
  const rows = await asked.catch((error: unknown) => {
    if (!find()) throw error;
    return [];
  });
  const of = find();
  if (of) throw new NotReady(NO_ROOM[of]);
  if (rows[0]?.transaction_read_only === 'on') throw new NotReady(READ_ONLY);
  const uncommitted = await tryCommit(forPages.pool);
  if (uncommitted) throw new NotReady(publicWaitsText(uncommitted) ?? NO_COMMIT);
  const { locks } = await findWaits(forPages.pool);
  // Rows are locked for a moment in ordinary use.
  const ofTables = locks.filter(({ table }) => table !== null);
  const locked = publicWaitsText({ standby: null, locks: ofTables });
  if (locked !== null) throw new NotReady(locked);
}

/** A living worker, whose browser starts. */
async function requireWorker({ forPages: { db } }: Database): Promise<void> {
  if (!(await isWorkerAlive(db))) throw new NotReady(FAILED.worker);
  const failure = await findBrowserFailure(db);
  if (failure !== null) throw new NotReady(causeText(failure));
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

/** Why a part is not ready; null if it is. */
async function problemOf(
  database: Database,
  { part, check }: { part: Part; check: () => Promise<unknown> },
): Promise<string | null> {
  const ended = new AbortController();
  const after = (ms: number) => delay(ms, undefined, { signal: ended.signal });
  const whyLate = async (): Promise<never> => {
    await after(SLOW_MS);
    const waits = await Promise.race([
      findWaits(database.forPages.pool).catch(() => null),
      after(CHECK_MS - SLOW_MS).then(() => null),
    ]);
    throw new NotReady((waits && publicWaitsText(waits)) ?? FAILED[part]);
  };
  const late = whyLate();
  late.catch(() => {});
  try {
    await Promise.race([check(), late]);
    return null;
  } catch (error) {
    log.debug({ err: error, part }, 'not ready');
    return error instanceof NotReady ? error.message : FAILED[part];
  } finally {
    ended.abort();
  }
}

import type { Database } from '#server/db/client.ts';
import { levelOf, stopBelowBytes } from '#server/disk/levels.ts';
import { placesOf } from '#server/disk/places.ts';
import { readVolumes } from '#server/disk/volumes.ts';
import { log } from '#server/log.ts';
import { clientBoss } from '#server/queue/boss.ts';
import { sandboxClient } from '#server/sandbox/client.ts';
import { settings } from '#server/settings.ts';
import { hasRoomForSessions, isWorkerAlive, WORKER_SILENCE_MS } from '#server/store/operator.ts';

/** A probe that waits longer than a load balancer does is as good as a refusal. */
const CHECK_MS = 3_000;

type Part = 'database' | 'queue' | 'worker' | 'disk' | 'sandbox';

export interface Readiness {
  ready: boolean;
  /** Each part that this installation has: is it there? */
  parts: Partial<Record<Part, boolean>>;
  missing: Part[];
}

/** Is everything there that a message needs? Never rejects; says within 3 s which part is missing. */
export async function readiness(database: Database): Promise<Readiness> {
  const checks: [Part, () => Promise<unknown>][] = [
    ['database', () => database.sql`select 1`],
    ['queue', () => clientBoss(database).then((boss) => boss.schemaVersion())],
    ['worker', () => requireWorker(database)],
    ['disk', () => requireRoom(database)],
  ];
  if (settings.sandbox) checks.push(['sandbox', () => sandboxClient().config()]);
  const parts: Readiness['parts'] = {};
  await Promise.all(
    checks.map(async ([part, check]) => {
      parts[part] = await holds(part, check);
    }),
  );
  const missing = checks.map(([part]) => part).filter((part) => !parts[part]);
  return { ready: missing.length === 0, parts, missing };
}

async function requireWorker(database: Database): Promise<void> {
  if (!(await isWorkerAlive(database.db, { withinMs: WORKER_SILENCE_MS }))) {
    throw new Error('no worker has been seen lately');
  }
}

/** On the disks of this process, and on those of one worker at least. */
async function requireRoom(database: Database): Promise<void> {
  for (const volume of await readVolumes(placesOf())) {
    const stopBytes = settings.diskFreeBytesMin ?? stopBelowBytes(volume.totalBytes);
    if (levelOf(volume, 'ok', stopBytes) === 'full') throw new Error(`the disk at ${volume.path} is full`);
  }
  if (!(await hasRoomForSessions(database.db))) throw new Error('no worker has room for sessions');
}

async function holds(part: Part, check: () => Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('no answer in time')), CHECK_MS);
  });
  try {
    await Promise.race([check(), late]);
    return true;
  } catch (error) {
    log.debug({ err: error, part }, 'not ready');
    return false;
  } finally {
    clearTimeout(timer);
  }
}

import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { leasesOf, releaseLeasesOf } from '#server/numbers/queries/leases.ts';
import type { Database } from '#server/platform/db/client.ts';
import type { Log } from '#server/platform/log.ts';
import { isRunning, pidSpace, processIdentity } from '#server/platform/process/identity.ts';
import { processTable } from '../engine/process-table.ts';
import { profilePath, userDataDir } from '../engine/profile.ts';

/** A browser whose worker died ends automatically and saves its data, within this time. */
const BROWSERS_END_MS = 10_000;
const POLL_MS = 50;

const directoryOf = (dataDir: string) => path.join(dataDir, 'workers');

/**
 * Stores a worker's process identity beside the profiles, so that after its death the next worker need not wait
 * until its leases expire. Returns a function that removes it, for a clean stop.
 */
export function registerWorker(dataDir: string, workerId: string): () => void {
  const file = path.join(directoryOf(dataDir), workerId);
  fs.mkdirSync(directoryOf(dataDir), { recursive: true, mode: 0o700 });
  fs.writeFileSync(`${file}.new`, JSON.stringify({ identity: processIdentity(), space: pidSpace() }), {
    mode: 0o600,
    flush: true,
  });
  fs.renameSync(`${file}.new`, file);
  return () => fs.rmSync(file, { force: true });
}

/**
 * Releases the leases of workers on this data directory whose process has ended, once their browsers have ended or
 * `browsersEndMs` have passed. For a worker in another container or before a reboot this is unknown, so its leases
 * expire.
 */
export async function releaseDeadWorkers(params: {
  database: Database;
  dataDir: string;
  log: Log;
  browsersEndMs?: number;
}): Promise<void> {
  const { database, dataDir, log, browsersEndMs = BROWSERS_END_MS } = params;
  for (const workerId of fs.existsSync(directoryOf(dataDir)) ? fs.readdirSync(directoryOf(dataDir)) : []) {
    const file = path.join(directoryOf(dataDir), workerId);
    if (!isDead(file)) continue;
    const numberIds = await leasesOf(database, { workerId });
    const until = performance.now() + browsersEndMs;
    while (performance.now() < until && hasBrowsers(dataDir, numberIds)) await delay(POLL_MS);
    await releaseLeasesOf(database, { workerId });
    fs.rmSync(file, { force: true });
    log.info({ workerId, numbers: numberIds.length }, 'the leases of a dead worker were released');
  }
}

function isDead(file: string): boolean {
  try {
    const { identity, space } = JSON.parse(fs.readFileSync(file, 'utf8')) as Record<string, string>;
    return space === pidSpace() && identity !== undefined && !isRunning(identity);
  } catch {
    return false; // removed meanwhile, or not a file of ours
  }
}

function hasBrowsers(dataDir: string, numberIds: string[]): boolean {
  if (numberIds.length === 0) return false;
  const args = numberIds.map((id) => ` --user-data-dir=${userDataDir(profilePath(dataDir, id))} `);
  return processTable().some(({ command }) => args.some((arg) => command.includes(arg)));
}

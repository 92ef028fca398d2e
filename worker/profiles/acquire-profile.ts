import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Holding } from '#server/core/lease.ts';
import {
  findProfile,
  forgetProfile,
  type ProfileRow,
  readSnapshot,
  reviveGoodCopy,
  takeUpProfile,
  writeSnapshot,
} from '#server/numbers/queries/profiles.ts';
import type { Database } from '#server/platform/db/client.ts';
import type { Log } from '#server/platform/log.ts';
import { prepareProfile, removeProfile } from '../engine/profile.ts';
import { repairStorage } from '../engine/repair-storage.ts';
import { Limiter } from './limiter.ts';
import { hasSession, packSnapshot, unpackSnapshot } from './snapshot.ts';

/**
 * What a number starts from: its profile `here`, its `snapshot`, or `nothing`. `stale`: every copy is, or may be,
 * older than the last start, so no session may start from it.
 */
export type Source = 'here' | 'snapshot' | 'nothing' | 'stale';

/** Decides what to start from, by the database's row, the directory's mark, and whether it contains a session. */
export function sourceOf(
  row: ProfileRow | null,
  mark: GenerationMark | null,
  volumeId: string,
  containsSession: boolean,
): Source {
  // Older than the table of profiles, when there was only one volume.
  if (row === null) return 'here';
  const started = mark === null ? 0 : mark.generation - (mark.pending ? 1 : 0);
  // This profile is newer than the database, which was restored from a backup.
  if (started > row.generation) return 'stale';
  if (row.volumeId === volumeId && mark !== null && mark.generation >= row.generation) return 'here';
  if (row.restorable) return 'snapshot';
  // This directory was restored from a backup.
  if (row.volumeId === volumeId && mark !== null) return 'stale';
  // Its mark was lost. No other volume has had the session since, so this is its only copy.
  if (row.volumeId === volumeId && containsSession) return 'here';
  return 'nothing';
}

/**
 * A copy can have hundreds of megabytes, and is in memory several times while it is made or unpacked. More at once would
 * not be faster: Node compresses in four threads.
 */
export const COPIES_AT_ONCE = Math.min(4, os.availableParallelism());
const copies = new Limiter(COPIES_AT_ONCE);

export interface ProfileParams {
  database: Database;
  holding: Holding;
  profileDir: string;
  volumeId: string;
}

/**
 * Prepares a number's profile under the lease and stores that it is now the newest: other copies, also snapshots,
 * become outdated. Returns what it starts from; with `stale` the profile is empty. Throws if the lease was lost.
 */
export async function acquireProfile({
  database,
  holding,
  profileDir,
  volumeId,
}: ProfileParams): Promise<Source> {
  const { numberId } = holding;
  const row = await findProfile(database, { numberId });
  const mark = await readMark(profileDir);
  const source = sourceOf(row, mark, volumeId, await hasSession(profileDir));
  if (source !== 'here') await removeProfile(profileDir);
  await prepareProfile(profileDir);
  if (source === 'snapshot')
    await copies.run(async () => {
      const snapshot = await readSnapshot(database, { numberId });
      if (!snapshot) throw new Error('the snapshot has gone');
      await unpackSnapshot(profileDir, numberId, snapshot);
    });
  const generation = 1 + Math.max(row?.generation ?? 0, source === 'stale' ? (mark?.generation ?? 0) : 0);
  // In this order, a crash at any point leaves a profile that is known to be the newest.
  await writeMark(profileDir, { generation, pending: true });
  const ours = await takeUpProfile(database, holding, { volumeId, host: os.hostname(), generation });
  if (!ours) throw new Error('the lease was lost while the profile was acquired');
  await writeMark(profileDir, { generation, pending: false });
  return source;
}

/** The database writes a snapshot to its log and its table, and needs some space besides. */
const SNAPSHOT_ROOM_FACTOR = 4;

/**
 * After the session and its browser have ended: stores a snapshot from which any worker can continue, unless it
 * takes too much of the database's `roomBytes`. With `linked: false`, or without a session, the stored profile is
 * forgotten.
 */
export async function releaseProfile(
  params: ProfileParams,
  options: { linked: boolean; log: Log; roomBytes: number },
): Promise<void> {
  const { database, holding, profileDir } = params;
  if (!options.linked || !(await hasSession(profileDir))) return forgetProfile(database, holding);
  await copies.run(() => storeSnapshot(params, options));
}

async function storeSnapshot(
  { database, holding, profileDir }: ProfileParams,
  { log, roomBytes }: { log: Log; roomBytes: number },
): Promise<void> {
  const { numberId } = holding;
  await repairStorage(profileDir);
  const snapshot = await packSnapshot(profileDir, numberId);
  if (!snapshot) log.warn({ numberId }, 'the session is too large for a snapshot; it stays on its volume');
  else if (snapshot.sealed.length * SNAPSHOT_ROOM_FACTOR > roomBytes)
    log.warn(
      { numberId },
      'the disk of the database has no room for a snapshot; the session stays on its volume',
    );
  else await writeSnapshot(database, holding, snapshot);
}

/**
 * Replaces a profile that a browser could not use with the last good copy; false if there is none. The browser
 * must have ended, and none may have connected since the copy was made: an older session must never contact
 * WhatsApp.
 */
export async function restoreGoodCopy(params: ProfileParams): Promise<boolean> {
  const { database, holding, profileDir } = params;
  // First, so that after a crash the next start continues from the copy.
  if (!(await reviveGoodCopy(database, holding))) return false;
  await removeProfile(profileDir);
  await acquireProfile(params);
  return true;
}

/**
 * How many times a profile was acquired, as stored in the profile itself. `pending`: it was being acquired, and no
 * browser has started from it yet.
 */
interface GenerationMark {
  generation: number;
  pending: boolean;
}

const fileOf = (profileDir: string) => path.join(profileDir, 'generation');

/** Null if the profile has none. */
async function readMark(profileDir: string): Promise<GenerationMark | null> {
  const text = await fs.readFile(fileOf(profileDir), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  const [, generation, pending] = /^(\d+)( pending)?\n$/.exec(text) ?? [];
  return generation === undefined ? null : { generation: Number(generation), pending: pending !== undefined };
}

/** Replaces the mark. It is on disk when this resolves. */
async function writeMark(profileDir: string, { generation, pending }: GenerationMark): Promise<void> {
  const fresh = `${fileOf(profileDir)}.new`;
  await fs.writeFile(fresh, `${generation}${pending ? ' pending' : ''}\n`, { mode: 0o600, flush: true });
  await fs.rename(fresh, fileOf(profileDir));
  // Windows opens no directories.
  if (process.platform === 'win32') return;
  const directory = await fs.open(profileDir);
  await directory.sync().finally(() => directory.close());
}

import os from 'node:os';
import type { Holding } from '#server/core/lease.ts';
import {
  findProfile,
  forgetProfile,
  type ProfileRow,
  readGoodCopy,
  readSnapshot,
  takeUpProfile,
  writeSnapshot,
} from '#server/numbers/queries/profiles.ts';
import type { Database } from '#server/platform/db/client.ts';
import type { Log } from '#server/platform/log.ts';
import { prepareProfile, removeProfile } from '../engine/profile.ts';
import { repairStorage } from '../engine/repair-storage.ts';
import { type Mark, readMark, writeMark } from './mark.ts';
import { hasSession, packSnapshot, unpackSnapshot } from './snapshot.ts';

/**
 * What a number is started from: its profile `here`, its snapshot, `nothing`; or what there is is `stale`:
 * older than the last start, so nobody may start from it.
 */
export type Source = 'here' | 'snapshot' | 'nothing' | 'stale';

/** What to start from, by what the database and the directory say. */
export function sourceOf(row: ProfileRow | null, mark: Mark | null, volumeId: string): Source {
  // From before profiles were written down: there was one place then.
  if (row === null) return 'here';
  const started = mark === null ? 0 : mark.generation - (mark.pending ? 1 : 0);
  // This profile was started after everything that the database knows of: the database went back.
  if (started > row.generation) return 'stale';
  if (row.volumeId === volumeId && mark !== null && mark.generation >= row.generation) return 'here';
  if (row.restorable) return 'snapshot';
  // This very directory went back, as from a backup of the disk.
  if (row.volumeId === volumeId && mark !== null) return 'stale';
  return 'nothing';
}

export interface ProfileParams {
  database: Database;
  holding: Holding;
  profileDir: string;
  volumeId: string;
}

/**
 * Makes a number's profile ready to be started from, under the lease, and takes note of it: what was the
 * newest state of the session elsewhere, a snapshot included, is so no more. Returns what it starts from; with
 * `stale` the profile is blank. Throws when the lease is not ours any more.
 */
export async function takeUp({ database, holding, profileDir, volumeId }: ProfileParams): Promise<Source> {
  const { numberId } = holding;
  const row = await findProfile(database, { numberId });
  const mark = await readMark(profileDir);
  const source = sourceOf(row, mark, volumeId);
  if (source !== 'here') await removeProfile(profileDir);
  await prepareProfile(profileDir);
  if (source === 'snapshot') {
    const snapshot = await readSnapshot(database, { numberId });
    if (!snapshot) throw new Error('the snapshot has gone');
    await unpackSnapshot(profileDir, numberId, snapshot);
  }
  const generation = 1 + Math.max(row?.generation ?? 0, source === 'stale' ? (mark?.generation ?? 0) : 0);
  // In this order whatever dies in between leaves a profile that is known to be the newest.
  await writeMark(profileDir, { generation, pending: true });
  const ours = await takeUpProfile(database, holding, { volumeId, host: os.hostname(), generation });
  if (!ours) throw new Error('the lease was lost while the profile was taken up');
  await writeMark(profileDir, { generation, pending: false });
  return source;
}

/** The database writes a snapshot to its log and to its table, and needs some room besides. */
const SNAPSHOT_ROOM_FACTOR = 4;

/**
 * After the session has ended, with no browser left: what it needs is stored where any worker can go on from
 * it, unless that takes too much of the `roomBytes` that the database has. With `linked: false`, or nothing there,
 * the number has no session any more.
 */
export async function layDown(
  { database, holding, profileDir }: ProfileParams,
  { linked, log, roomBytes }: { linked: boolean; log: Log; roomBytes: number },
): Promise<void> {
  const { numberId } = holding;
  if (!linked || !(await hasSession(profileDir))) return forgetProfile(database, holding);
  await repairStorage(profileDir);
  const snapshot = await packSnapshot(profileDir, numberId);
  if (!snapshot) log.warn({ numberId }, 'the session is too large for a snapshot; it stays with its volume');
  else if (snapshot.sealed.length * SNAPSHOT_ROOM_FACTOR > roomBytes)
    log.warn(
      { numberId },
      'the disk of the database has no room for a snapshot; the session stays with its volume',
    );
  else await writeSnapshot(database, holding, snapshot);
}

/**
 * Puts the last good copy in place of a profile that a browser could not go on from, once that has ended. Only before
 * any browser was connected since the copy was made: an older session must never speak to WhatsApp again. False when
 * there is no copy.
 */
export async function restoreGoodCopy({ database, holding, profileDir }: ProfileParams): Promise<boolean> {
  const copy = await readGoodCopy(database, holding);
  if (!copy) return false;
  const mark = await readMark(profileDir);
  await removeProfile(profileDir);
  await prepareProfile(profileDir);
  await unpackSnapshot(profileDir, holding.numberId, copy);
  if (mark) await writeMark(profileDir, mark);
  return true;
}

const MIB = 1024 ** 2;

/**
 * How a volume stands: `low` takes no more files of messages, `full` runs no sessions. Each level is left later
 * than it is entered, so that nothing flaps around a threshold.
 */
export const DISK_LEVELS = ['ok', 'low', 'full'] as const;
export type DiskLevel = (typeof DISK_LEVELS)[number];

export interface FreeSpace {
  freeBytes: number;
  totalBytes: number;
  /** Files that still fit; infinite where the file system does not count them. */
  freeFiles: number;
}

/** With fewer, writing fails as on a full disk. */
const FILES_MIN = 1000;
/** A volume that is full resumes with this much more free, one that is low likewise. */
const RESUME_FACTOR = 1.5;
const LOW_FACTOR = 2;

/**
 * Below this much free space sessions stop. Chromium writes nothing more to a page's storage once 1 GiB or 1 % of
 * the volume is left, whichever is less; the rest is what it takes to stop in order.
 */
export function stopBelowBytes(totalBytes: number): number {
  const chromiumStopsAt = Math.min(1024 * MIB, totalBytes / 100);
  return Math.round(chromiumStopsAt + Math.min(256 * MIB, totalBytes / 10));
}

/** Below this much free space files of messages are refused. */
export function refuseMediaBelowBytes(stopBytes: number): number {
  return stopBytes * LOW_FACTOR;
}

/** The level of a volume that was at `before`. */
export function levelOf(space: FreeSpace, before: DiskLevel, stopBytes: number): DiskLevel {
  const { freeBytes, freeFiles } = space;
  const below = (bytes: number, isThere: boolean) => freeBytes < bytes * (isThere ? RESUME_FACTOR : 1);
  if (freeFiles < FILES_MIN * (before === 'full' ? RESUME_FACTOR : 1)) return 'full';
  if (below(stopBytes, before === 'full')) return 'full';
  return below(refuseMediaBelowBytes(stopBytes), before !== 'ok') ? 'low' : 'ok';
}

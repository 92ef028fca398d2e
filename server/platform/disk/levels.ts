const MIB = 1024 ** 2;

/**
 * The state of a volume: on `low` message files are refused, on `full` no session runs. A level ends at more free
 * space than it begins, so that the state does not flap around a threshold.
 */
export const DISK_LEVELS = ['ok', 'low', 'full'] as const;
export type DiskLevel = (typeof DISK_LEVELS)[number];

export interface FreeSpace {
  freeBytes: number;
  totalBytes: number;
  /** Files that still fit; infinite if the file system does not count them. */
  freeFiles: number;
}

/** With fewer free files, writes fail as on a full disk. */
const FILES_MIN = 1000;
/** A full or low volume recovers with this much more free space. */
const RESUME_FACTOR = 1.5;
const LOW_FACTOR = 2;

/**
 * The free space, in bytes, below which sessions stop. Chromium stops writing a page's storage at 1 GiB or 1 % of
 * the volume, whichever is less; the rest is for a clean stop.
 */
export function stopBelowBytes(totalBytes: number): number {
  const chromiumStopsAt = Math.min(1024 * MIB, totalBytes / 100);
  return Math.round(chromiumStopsAt + Math.min(256 * MIB, totalBytes / 10));
}

/** The free space, in bytes, below which message files are refused. */
export function refuseMediaBelowBytes(stopBytes: number): number {
  return stopBytes * LOW_FACTOR;
}

/** The level of a volume whose level was `before`. */
export function levelOf(space: FreeSpace, before: DiskLevel, stopBytes: number): DiskLevel {
  const { freeBytes, freeFiles } = space;
  const below = (bytes: number, isThere: boolean) => freeBytes < bytes * (isThere ? RESUME_FACTOR : 1);
  if (freeFiles < FILES_MIN * (before === 'full' ? RESUME_FACTOR : 1)) return 'full';
  if (below(stopBytes, before === 'full')) return 'full';
  return below(refuseMediaBelowBytes(stopBytes), before !== 'ok') ? 'low' : 'ok';
}

import { DiskWatch } from '#server/platform/disk/disk-watch.ts';
import { DISK_USES } from '#server/platform/disk/places.ts';
import { log } from '#server/platform/log.ts';

const MIB = 1024 ** 2;

/** On such a disk sessions stop below this, and files are refused below twice as much. */
export const LENT_STOP_MIB = 100;

/** A watch over one volume whose free space a test sets. Nothing is really written or freed. */
export function lentDisk(): { watch: DiskWatch; leave(freeMiB: number): Promise<void> } {
  let freeBytes = 100_000 * MIB;
  const watch = new DiskWatch({
    places: {},
    log,
    stopBytes: LENT_STOP_MIB * MIB,
    read: async () => [
      {
        path: '/lent',
        uses: [...DISK_USES],
        totalBytes: 200_000 * MIB,
        freeBytes,
        freeFiles: Number.POSITIVE_INFINITY,
      },
    ],
  });
  return {
    watch,
    async leave(freeMiB) {
      freeBytes = freeMiB * MIB;
      await watch.look();
    },
  };
}

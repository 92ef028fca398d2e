import { markDiskFull } from '#server/numbers/queries/moves.ts';
import type { Fleet } from '#server/operations/queries/workers.ts';
import type { Database } from '#server/platform/db/client.ts';
import type { DiskWatch } from '#server/platform/disk/disk-watch.ts';
import type { Log } from '#server/platform/log.ts';
import type { LeasedNumbers } from './leased-numbers.ts';

interface DiskStopOptions {
  database: Database;
  log: Log;
  /** The volume that holds the profiles. */
  volumeId: string;
  disk: DiskWatch;
  leased: LeasedNumbers;
  isStopping(): boolean;
}

/** How many sessions end at a time when the disk is full. Few, because each still writes a little as it ends. */
const STOPS_AT_ONCE = 8;

/** Stops a worker's sessions while its disk has no room for them. */
export class DiskStop {
  readonly #o: DiskStopOptions;
  #stopping = false;

  constructor(options: DiskStopOptions) {
    this.#o = options;
  }

  /** There is too little room for sessions. */
  get isFull(): boolean {
    return this.#o.disk.level('profiles') === 'full';
  }

  /**
   * Ends all sessions while there is room to do so cleanly. If no other worker takes their numbers, each number shows
   * why. They are claimed again when the disk has room.
   */
  async stopAll(fleet: Fleet): Promise<void> {
    const { database, log, volumeId, leased, isStopping } = this.#o;
    if (this.#stopping || isStopping()) return;
    this.#stopping = true;
    try {
      while (this.isFull && !isStopping() && leased.size > 0) {
        const next = leased.numberIds().slice(0, STOPS_AT_ONCE);
        log.warn({ numbers: next.length }, 'sessions are stopped, because the disk is full');
        await Promise.all(next.map((numberId) => leased.stop(numberId, { cause: { code: 'disk_full' } })));
      }
      if (fleet.fewestElsewhere === null) await markDiskFull(database.db, { volumeId });
    } catch (error) {
      log.warn({ err: error }, 'numbers could not be stopped for the full disk');
    } finally {
      this.#stopping = false;
    }
  }
}

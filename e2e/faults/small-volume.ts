import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

const CHUNK = Buffer.alloc(1024 * 1024, 'full');

/** A volume in memory, small enough to be filled. Only root can create one. */
export class SmallVolume {
  readonly #place: string;
  readonly #filler: string;

  constructor(place: string, sizeMib: number) {
    this.#place = place;
    this.#filler = path.join(place, 'filler');
    fs.mkdirSync(place, { recursive: true, mode: 0o700 });
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${sizeMib}m,mode=755`, 'wirebird-fault', place]);
  }

  /** Fills the volume until this many MiB are free; with 0 to the last byte. */
  fill(leaveMib: number): void {
    const file = fs.openSync(this.#filler, 'a', 0o600);
    try {
      while (leaveMib === 0 || this.#freeMib() > leaveMib) fs.writeSync(file, CHUNK);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    } finally {
      fs.closeSync(file);
    }
  }

  free(): void {
    fs.rmSync(this.#filler, { force: true });
  }

  remove(): void {
    // A file that a process still has open must not keep the row from ending.
    execFileSync('umount', ['-l', this.#place]);
  }

  #freeMib(): number {
    const { bavail, bsize } = fs.statfsSync(this.#place);
    return (bavail * bsize) / 1024 ** 2;
  }
}

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

const CHUNK = Buffer.alloc(1024 * 1024, 'full');

/** A volume in memory for profiles and files of messages, small enough to be filled. Only root can make one. */
export class SmallVolume {
  readonly #place: string;
  readonly #filler: string;

  constructor(dataDir: string, sizeMib: number) {
    this.#place = path.join(dataDir, 'profiles');
    this.#filler = path.join(this.#place, 'filler');
    fs.mkdirSync(this.#place, { recursive: true, mode: 0o700 });
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${sizeMib}m,mode=700`, 'wirebird-fault', this.#place]);
    fs.mkdirSync(path.join(this.#place, 'media'), { mode: 0o700 });
    fs.symlinkSync(path.join(this.#place, 'media'), path.join(dataDir, 'media'));
  }

  /** Writes until so many MiB are left; with 0 until nothing more can be written. */
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
    // What a process still has open must not keep the row from ending.
    execFileSync('umount', ['-l', this.#place]);
  }

  #freeMib(): number {
    const { bavail, bsize } = fs.statfsSync(this.#place);
    return (bavail * bsize) / 1024 ** 2;
  }
}

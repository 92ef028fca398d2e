import type { Log } from '#server/platform/log.ts';
import { DISK_LEVELS, type DiskLevel, levelOf, refuseMediaBelowBytes, stopBelowBytes } from './levels.ts';
import type { DiskUse, Places } from './places.ts';
import { readVolumes, type Volume } from './volumes.ts';

/** A disk can fill within seconds, and a clean stop takes some seconds too. */
const LOOK_EVERY_MS = 1000;

/** The last measurement of a volume. */
export interface WatchedVolume extends Volume {
  level: DiskLevel;
  /** Free bytes: below `refuseMediaBytes` message files are refused, below `stopBytes` sessions stop. */
  refuseMediaBytes: number;
  stopBytes: number;
}

interface DiskWatchOptions {
  places: Places;
  log: Log;
  /** Free bytes below which sessions stop; calculated from the volume's size if absent. */
  stopBytes?: number | undefined;
  read?: (places: Places) => Promise<Volume[]>;
}

/** Watches the free space of every volume in use. A volume that cannot be read keeps its level. */
export class DiskWatch {
  readonly #o: DiskWatchOptions;
  readonly #listeners = new Set<() => void>();
  #volumes: readonly WatchedVolume[] = [];
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | null = null;

  constructor(options: DiskWatchOptions) {
    this.#o = options;
  }

  /** Measures once, then every second. */
  async start(): Promise<void> {
    await this.look();
    this.#timer = setInterval(() => void this.look(), LOOK_EVERY_MS);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  get volumes(): readonly WatchedVolume[] {
    return this.#volumes;
  }

  /** `ok` for a use that is not on this machine. */
  level(use: DiskUse): DiskLevel {
    return this.#volumeOf(use)?.level ?? 'ok';
  }

  /** How many more bytes of `use` fit before files are refused; infinite for a use that is not on this machine. */
  roomBytes(use: DiskUse): number {
    const volume = this.#volumeOf(use);
    return volume ? Math.max(0, volume.freeBytes - volume.refuseMediaBytes) : Number.POSITIVE_INFINITY;
  }

  /** A sentence for an administrator about each volume that is short of space; null if there is none. */
  note(): string | null {
    const short = this.#volumes.filter(({ level }) => level !== 'ok');
    if (short.length === 0) return null;
    const words = short.map(({ freeBytes, path, uses }) => {
      const mib = Math.round(freeBytes / 1024 ** 2);
      return `${mib} MiB are free at ${path} (${uses.join(', ')}).`;
    });
    return words.join(' ');
  }

  freeBytes(use: DiskUse): number {
    return this.#volumeOf(use)?.freeBytes ?? Number.POSITIVE_INFINITY;
  }

  /** Calls `listener` after each change of a level. Returns a function that unsubscribes. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Measures now. Only one measurement runs at a time, so that a disk that does not answer blocks nothing else.
   */
  look(): Promise<void> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = null;
    });
    return this.#looking;
  }

  async #look(): Promise<void> {
    const { places, log, stopBytes, read = readVolumes } = this.#o;
    try {
      const before = new Map(this.#volumes.flatMap(({ uses, level }) => uses.map((use) => [use, level])));
      this.#volumes = (await read(places)).map((volume) => {
        const stop = stopBytes ?? stopBelowBytes(volume.totalBytes);
        const level = levelOf(volume, worst(volume.uses.map((use) => before.get(use) ?? 'ok')), stop);
        return { ...volume, level, stopBytes: stop, refuseMediaBytes: refuseMediaBelowBytes(stop) };
      });
      const changed = this.#volumes.filter(({ uses, level }) =>
        uses.some((use) => (before.get(use) ?? 'ok') !== level),
      );
      for (const volume of changed) {
        const { path, level, freeBytes, uses } = volume;
        log[level === 'ok' ? 'info' : 'warn']({ path, level, freeBytes, uses }, 'free space');
      }
      if (changed.length > 0) for (const listener of this.#listeners) listener();
    } catch (error) {
      log.warn({ err: error }, 'the free space could not be looked at');
    }
  }

  #volumeOf(use: DiskUse): WatchedVolume | undefined {
    return this.#volumes.find(({ uses }) => uses.includes(use));
  }
}

function worst(levels: readonly DiskLevel[]): DiskLevel {
  return DISK_LEVELS.findLast((level) => levels.includes(level)) ?? 'ok';
}

import { TimeoutError } from './timeout.ts';

interface StallLimitOptions {
  what: string;
  /** Without progress for this long, the work is given up. */
  stallMs: number;
  /** The same after this long, whatever its progress. */
  mostMs: number;
}

/** A time limit that begins again with each sign of progress, so that slow work ends and work that hangs does not last. */
export class StallLimit {
  readonly #o: StallLimitOptions;
  readonly #over = Promise.withResolvers<never>();
  #timer: NodeJS.Timeout | undefined;
  #endsAtMs = 0;

  constructor(options: StallLimitOptions) {
    this.#o = options;
    this.#over.promise.catch(() => {});
  }

  /** Settles as `work` does, or rejects with {@link TimeoutError}. Called once. */
  async run<T>(work: Promise<T>): Promise<T> {
    this.#endsAtMs = performance.now() + this.#o.mostMs;
    this.#begin();
    try {
      return await Promise.race([work, this.#over.promise]);
    } finally {
      clearTimeout(this.#timer);
      this.#timer = undefined;
    }
  }

  progress(): void {
    if (this.#timer) this.#begin();
  }

  #begin(): void {
    const { what, stallMs, mostMs } = this.#o;
    clearTimeout(this.#timer);
    const leftMs = this.#endsAtMs - performance.now();
    const why = leftMs < stallMs ? `not done within ${mostMs} ms` : `no progress within ${stallMs} ms`;
    const end = () => this.#over.reject(new TimeoutError(`${what}: ${why}`));
    this.#timer = setTimeout(end, Math.min(stallMs, leftMs));
  }
}

/** With this many numbers, those whose interval is over are removed. */
const REMEMBERED_MAX = 1000;

interface Interval {
  /** On the clock of `performance.now()`. */
  beganAtMs: number;
  intervalMs: number;
}

/**
 * Enforces each number's interval by this process's monotonic clock, in case the database's clock jumps. One for all
 * numbers of the process, so that it outlives a session that such a jump ends.
 */
export class IntervalGuard {
  readonly #last = new Map<string, Interval>();
  readonly #nowMs: () => number;

  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  /** Starts the number's interval now. */
  begin(numberId: string, intervalMs: number): void {
    if (this.#last.size >= REMEMBERED_MAX) this.#forgetOver();
    this.#last.set(numberId, { beganAtMs: this.#nowMs(), intervalMs });
  }

  /** The rest of the interval, in ms; 0 or less if it is over. A shorter `intervalMs` counts at once. */
  leftMs(numberId: string, intervalMs: number): number {
    const last = this.#last.get(numberId);
    if (!last) return 0;
    return last.beganAtMs + Math.min(last.intervalMs, intervalMs) - this.#nowMs();
  }

  #forgetOver(): void {
    for (const [numberId, { intervalMs }] of this.#last)
      if (this.leftMs(numberId, intervalMs) <= 0) this.#last.delete(numberId);
  }
}

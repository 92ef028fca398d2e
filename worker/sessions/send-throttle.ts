/** Beyond this many numbers, those whose interval is over are removed. */
const REMEMBERED_MAX = 1000;

interface Interval {
  /** On the clock of `performance.now()`. */
  beganAtMs: number;
  intervalMs: number;
}

/**
 * Enforces the interval after each number's last dispatch by this process's monotonic clock, whatever the database's clock
 * does. One for the process, because that clock can end a number's lease and session.
 */
export class SendThrottle {
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

  /** The rest in ms; 0 or less when it is over. A longer interval counts from the next slot, a shorter one at once. */
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

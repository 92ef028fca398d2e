/** As many numbers are remembered before those whose pause is over are forgotten. */
const REMEMBERED_MAX = 1000;

interface Pause {
  /** On the clock of `performance.now()`. */
  beganAtMs: number;
  intervalMs: number;
}

/**
 * The pause after each number's last dispatch, on this process's monotonic clock: whatever the database's clock does,
 * nothing leaves sooner. It outlives the number's lease and session, which that clock can end.
 */
export class SendThrottle {
  readonly #last = new Map<string, Pause>();
  readonly #nowMs: () => number;

  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  /** From now on the number's pause runs, for `intervalMs`. */
  begin(numberId: string, intervalMs: number): void {
    if (this.#last.size >= REMEMBERED_MAX) this.#forgetWhatIsOver();
    this.#last.set(numberId, { beganAtMs: this.#nowMs(), intervalMs });
  }

  /** What is left of it, in ms; 0 or less when it is over. A longer pause counts from the next slot, a shorter one at once. */
  leftMs(numberId: string, intervalMs: number): number {
    const pause = this.#last.get(numberId);
    if (!pause) return 0;
    return pause.beganAtMs + Math.min(pause.intervalMs, intervalMs) - this.#nowMs();
  }

  #forgetWhatIsOver(): void {
    for (const [numberId, { intervalMs }] of this.#last)
      if (this.leftMs(numberId, intervalMs) <= 0) this.#last.delete(numberId);
  }
}

const FIRST_MS = 1000;
/** The longest pause, unless a number says less. */
export const RESTART_PAUSE_MS_MAX = 15 * 60_000;
/** A session that was connected for this long starts over with the shortest pause. */
const HEALTHY_MS = 60_000;

/** The pauses between restarts of one session: doubling, capped, with jitter. */
export class BackOff {
  #failures = 0;
  readonly #random: () => number;

  constructor(random: () => number = Math.random) {
    this.#random = random;
  }

  /** The pause before the next start, in ms, at most `mostMs`, after a session that was connected for `connectedMs`. */
  next(connectedMs: number, mostMs: number = RESTART_PAUSE_MS_MAX): number {
    if (connectedMs >= HEALTHY_MS) this.#failures = 0;
    const base = Math.min(mostMs, FIRST_MS * 2 ** this.#failures);
    this.#failures += 1;
    return Math.round(base * (0.5 + this.#random() / 2));
  }
}

const FIRST_MS = 1000;
/** The longest delay, unless a number has a shorter one. */
export const RESTART_PAUSE_MS_MAX = 15 * 60_000;
/** After a session that was connected for this long, the delay is the shortest again. */
const HEALTHY_MS = 60_000;

/** The delays between restarts of one session: doubling, capped, with jitter. */
export class BackOff {
  #failures = 0;
  readonly #random: () => number;

  constructor(random: () => number = Math.random) {
    this.#random = random;
  }

  /** The delay before the next start, in ms, at most `mostMs`, after a session that was connected for `connectedMs`. */
  next(connectedMs: number, mostMs: number = RESTART_PAUSE_MS_MAX): number {
    if (connectedMs >= HEALTHY_MS) this.#failures = 0;
    const base = Math.min(mostMs, FIRST_MS * 2 ** this.#failures);
    this.#failures += 1;
    return Math.round(base * (0.5 + this.#random() / 2));
  }
}

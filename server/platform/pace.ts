export interface PaceLimits {
  perSecond: number;
  /** How many come at once without waiting. */
  atOnce: number;
  waitMsMax: number;
}

const REMEMBERED_MAX = 10_000;

/** Spreads what each of many does over time, such as the connections of an address. Times are monotonic, in ms. */
export class Pace {
  readonly #limits: PaceLimits;
  /** When the next one of a key would have its turn if none came at once. */
  readonly #nextAtMs = new Map<string, number>();

  constructor(limits: PaceLimits) {
    this.#limits = limits;
  }

  /** How long the next one waits; null if it is refused. `turns`: it counts as so many. */
  take(key: string, nowMs: number, turns = 1): number | null {
    const { perSecond, atOnce, waitMsMax } = this.#limits;
    const betweenMs = 1_000 / perSecond;
    const atOnceMs = (atOnce - 1) * betweenMs;
    const turnMs = Math.max(this.#nextAtMs.get(key) ?? 0, nowMs);
    const waitMs = Math.max(0, turnMs - atOnceMs - nowMs);
    if (waitMs > waitMsMax) return null;
    if (this.#nextAtMs.size >= REMEMBERED_MAX) this.#forgetIdle(nowMs);
    this.#nextAtMs.set(key, turnMs + turns * betweenMs);
    return waitMs;
  }

  #forgetIdle(nowMs: number): void {
    for (const [key, nextMs] of this.#nextAtMs) if (nextMs <= nowMs) this.#nextAtMs.delete(key);
  }
}

/** In the order of their turns: the part of the pages' time that each has, and its places more than strangers have. */
export const RANKS = {
  signedIn: { part: 1 / 2, placesMore: 1 },
  stranger: { part: 1 / 4, placesMore: 0 },
  heavy: { part: 1 / 4, placesMore: -1 },
} as const;
export type Rank = keyof typeof RANKS;
export const ORDER = Object.keys(RANKS) as Rank[];

/** The largest debt, which is the most that one request can use. Without a debt, the API would lose this time. */
const OWED_MS_MAX = 1_000;
/** Who has used more time than this beyond its own share is heavy, until that is made up for. */
const HEAVY_MS = 1_000;
/** One who is alone counts as two, or the next who comes would wait. Beyond the most, shares would be used up by one page. */
const VISITORS = { min: 2, max: 10 };
const MADE_UP_WITHIN_MS = 120_000;

interface TimeLimits {
  /** The share of the time that page requests may take while the API is in use. */
  shareBesideApi: number;
  /** Unused time is saved up to this, so that an occasional page never waits. */
  savedMsMax: number;
}

/** The time that each rank of visitors has left while the API is in use, or owes. */
export class PageTime {
  readonly #limits: TimeLimits;
  readonly #savedMs: Record<Rank, number>;
  #countedAtMs = performance.now();

  constructor(limits: TimeLimits) {
    this.#limits = limits;
    this.#savedMs = { signedIn: 0, stranger: 0, heavy: 0 };
    this.#earn(limits.savedMsMax);
  }

  /** In how many milliseconds a rank may have time again; 0 if it has some. */
  missingMs(rank: Rank): number {
    const savedMs = this.#savedMs[rank];
    return savedMs > 0 ? 0 : Math.ceil((1 - savedMs) / this.#limits.shareBesideApi);
  }

  /** Adds the time that the pages earned since the last call, and subtracts what the running ranks used. */
  count(running: Readonly<Record<Rank, number>>, besideApi: boolean): void {
    const now = performance.now();
    const passedMs = now - this.#countedAtMs;
    this.#countedAtMs = now;
    for (const rank of ORDER)
      if (besideApi && running[rank] > 0)
        this.#savedMs[rank] = Math.max(-OWED_MS_MAX, this.#savedMs[rank] - passedMs);
    this.#earn(besideApi ? passedMs * this.#limits.shareBesideApi : passedMs);
  }

  /** Each rank gets its part. What it cannot save goes to the others. */
  #earn(ms: number): void {
    const fullMs = (rank: Rank) => this.#limits.savedMsMax * RANKS[rank].part;
    let leftMs = ms;
    let open = ORDER;
    while (leftMs > 0.001 && open.length > 0) {
      const eachMs = leftMs / open.reduce((sum, rank) => sum + RANKS[rank].part, 0);
      for (const rank of open) {
        const getsMs = Math.min(eachMs * RANKS[rank].part, fullMs(rank) - this.#savedMs[rank]);
        this.#savedMs[rank] += getsMs;
        leftMs -= getsMs;
      }
      open = open.filter((rank) => this.#savedMs[rank] < fullMs(rank));
    }
  }
}

/** Which visitors have used much time lately: more than they would have if all had the same. */
export class HeavyUse {
  readonly #share: number;
  /** Until when what a visitor has used exceeds its own share. */
  readonly #until = new Map<string, { ms: number; heavy: boolean }>();

  constructor({ shareBesideApi }: TimeLimits) {
    this.#share = shareBesideApi;
  }

  has(visitor: string): boolean {
    const until = this.#until.get(visitor);
    return until?.heavy === true && until.ms > performance.now();
  }

  note(visitor: string, usedMs: number): void {
    const now = performance.now();
    const known = this.#until.get(visitor) ?? { ms: now, heavy: false };
    for (const [one, { ms }] of this.#until) if (ms <= now) this.#until.delete(one);
    const share = this.#share / Math.min(VISITORS.max, Math.max(VISITORS.min, this.#until.size));
    const ms = Math.min(Math.max(known.ms, now) + usedMs / share, now + MADE_UP_WITHIN_MS);
    const heavyMs = Math.min(HEAVY_MS / share, MADE_UP_WITHIN_MS / 2);
    this.#until.set(visitor, { ms, heavy: (known.heavy && known.ms > now) || ms - now > heavyMs });
  }
}

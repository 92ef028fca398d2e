import { HeavyUse, ORDER, PageTime, RANKS, type Rank } from './page-time.ts';

/** Who sends a request. Open requests are counted per account and session, or per address. */
export interface Visitor {
  /** Who takes turns with the others: an account, or a stranger's network. */
  of: string;
  /** The account is known by a cookie that was valid before. */
  signedIn: boolean;
  /** The session cookie as sent, valid or not; null without one. */
  session: string | null;
}

export interface PageLimits {
  /** Requests of strangers in progress at the same time: one more of those signed in, one less of heavy users. */
  atOnce: number;
  /** The same, while the API is in use. At least one. */
  atOnceBesideApi: number;
  /** The share of the time that page requests may take while the API is in use. */
  shareBesideApi: number;
  /** Unused time is saved up to this, so that an occasional page never waits. */
  savedMsMax: number;
  perAddress: number;
  perAccount: number;
  perSession: number;
  waitingMax: number;
  waitMsMax: number;
}

/** Why a request is refused: too many of its address, account or session are open, too many wait, or it waited too long. */
export type PageRefusal = 'address' | 'account' | 'session' | 'full' | 'late';

export interface Place {
  /** Resolves to null when the request may begin, or to why it may not. */
  turn: Promise<PageRefusal | null>;
  /** The work is done and the next request may begin. Safe to repeat. */
  rest(): void;
  /** Rests, and resolves at the turn of the next part of a long answer, among heavy users; at once if it is over. */
  again(): Promise<void>;
  /** The request is over, whether it waited or ran. Safe to repeat. */
  leave(): void;
}

/** A request that takes longer probably waits for something itself, so it no longer delays others. */
const HELD_MS_MAX = 1_000;

interface Waiting {
  begin(rank: Rank): void;
}

/** The waiting requests of one visitor. */
interface Line {
  signedIn: boolean;
  /** Of parts of long answers. */
  parts: boolean;
  waiting: Set<Waiting>;
}

/**
 * Runs a few page requests at a time, within the pages' share of the time while the API is in use. Accounts and
 * strangers' networks take turns: those signed in first, and last those that have used much time lately. However many
 * page requests arrive, the API's requests compete with the same few.
 */
export class PageLimiter {
  readonly #limits: PageLimits;
  readonly #isApiInUse: () => boolean;
  readonly #open = new Map<string, number>();
  /** By visitor, the one that was served longest ago first. */
  readonly #lines = new Map<string, Line>();
  readonly #heavy: Record<'signedIn' | 'stranger', HeavyUse>;
  readonly #time: PageTime;
  #waitingCount = 0;
  readonly #running: Record<Rank, number> = { signedIn: 0, stranger: 0, heavy: 0 };
  #again: NodeJS.Timeout | undefined;

  constructor(limits: PageLimits, isApiInUse: () => boolean) {
    this.#limits = limits;
    this.#isApiInUse = isApiInUse;
    this.#heavy = { signedIn: new HeavyUse(limits), stranger: new HeavyUse(limits) };
    this.#time = new PageTime(limits);
  }

  /** Takes a request. One that is not `counted` has no limit per visitor. */
  take(visitor: Visitor, { counted }: { counted: boolean }): Place {
    const refused = (why: PageRefusal): Place => ({
      turn: Promise.resolve(why),
      rest: () => {},
      again: async () => {},
      leave: () => {},
    });
    const counts = counted ? this.#countsOf(visitor) : [];
    const full = counts.find(({ key, max }) => this.#openOf(key) >= max);
    if (full) return refused(full.why);
    if (this.#waitingCount >= this.#limits.waitingMax) return refused('full');
    const keys = counts.map(({ key }) => key);
    for (const key of keys) this.#open.set(key, this.#openOf(key) + 1);
    return this.#place(visitor, keys);
  }

  #countsOf({ of, signedIn, session }: Visitor): { key: string; max: number; why: PageRefusal }[] {
    const { perAddress, perAccount, perSession } = this.#limits;
    return [
      signedIn
        ? { key: of, max: perAccount, why: 'account' as const }
        : { key: of, max: perAddress, why: 'address' as const },
      ...(session === null ? [] : [{ key: `session ${session}`, max: perSession, why: 'session' as const }]),
    ];
  }

  #place({ of, signedIn }: Visitor, keys: string[]): Place {
    const { promise: turn, resolve } = Promise.withResolvers<PageRefusal | null>();
    let state: 'waiting' | 'running' | 'resting' | 'over' = 'waiting';
    let timer: NodeJS.Timeout;
    let begun: { rank: Rank; atMs: number };
    /** Whether it had its first turn. */
    let parts = false;
    let resume = () => {};
    const rest = () => {
      if (state !== 'running') return;
      state = 'resting';
      clearTimeout(timer);
      this.#time.count(this.#running, this.#isApiInUse());
      // A part has the time of heavy users already; it does not make its visitor's other pages heavy.
      if (!parts) this.#heavy[signedIn ? 'signedIn' : 'stranger'].note(of, performance.now() - begun.atMs);
      this.#running[begun.rank] -= 1;
      this.#pump();
    };
    const leave = () => {
      if (state === 'over') return;
      if (state === 'waiting') this.#forget(lineOf(), waiting);
      rest();
      clearTimeout(timer);
      state = 'over';
      resume();
      for (const key of keys) {
        const left = this.#openOf(key) - 1;
        if (left > 0) this.#open.set(key, left);
        else this.#open.delete(key);
      }
    };
    const waiting: Waiting = {
      begin: (rank) => {
        clearTimeout(timer);
        state = 'running';
        begun = { rank, atMs: performance.now() };
        timer = setTimeout(rest, HELD_MS_MAX);
        resolve(null);
        resume();
      },
    };
    const lineOf = () => (parts ? `parts of ${of}` : of);
    const wait = () => {
      state = 'waiting';
      const line = this.#lines.get(lineOf()) ?? { signedIn, parts, waiting: new Set() };
      line.waiting.add(waiting);
      this.#lines.set(lineOf(), line);
      this.#waitingCount += 1;
      this.#pump();
    };
    const again = async () => {
      rest();
      if (state !== 'resting') return;
      parts = true;
      const next = Promise.withResolvers<void>();
      resume = next.resolve;
      wait();
      await next.promise;
    };
    timer = setTimeout(() => {
      leave();
      resolve('late');
    }, this.#limits.waitMsMax);
    wait();
    return { turn, rest, again, leave };
  }

  /** Starts the requests that may start now, and runs again when the pages have time left. */
  #pump(): void {
    clearTimeout(this.#again);
    const besideApi = this.#isApiInUse();
    this.#time.count(this.#running, besideApi);
    let againInMs = Number.POSITIVE_INFINITY;
    for (const rank of ORDER)
      while (this.#hasPlace(rank, besideApi)) {
        const of = this.#next(rank);
        if (of === undefined) break;
        const missingMs = besideApi ? this.#time.missingMs(rank) : 0;
        if (missingMs > 0) {
          againInMs = Math.min(againInMs, missingMs);
          break;
        }
        this.#begin(of, rank);
      }
    if (Number.isFinite(againInMs)) this.#again = setTimeout(() => this.#pump(), againInMs);
  }

  /** Those that began before the API was in use take no more places than their rank has now. */
  #hasPlace(rank: Rank, besideApi: boolean): boolean {
    const places = (of: Rank) => this.#placesOf(of, besideApi);
    const running = ORDER.reduce((sum, one) => sum + Math.min(this.#running[one], places(one)), 0);
    return running < places(rank);
  }

  #placesOf(rank: Rank, besideApi: boolean): number {
    const { atOnce, atOnceBesideApi } = this.#limits;
    const { placesMore } = RANKS[rank];
    return Math.max(besideApi ? 1 : 0, (besideApi ? atOnceBesideApi : atOnce) + placesMore);
  }

  /** Whose turn of a rank is next: of the one that was served longest ago. */
  #next(wanted: Rank): string | undefined {
    for (const [of, line] of this.#lines) if (this.#rankOf(of, line) === wanted) return of;
    return undefined;
  }

  #rankOf(of: string, { signedIn, parts }: Line): Rank {
    if (parts) return 'heavy';
    const kind = signedIn ? 'signedIn' : 'stranger';
    return this.#heavy[kind].has(of) ? 'heavy' : kind;
  }

  #begin(of: string, rank: Rank): void {
    const line = this.#lines.get(of);
    const [waiting] = line?.waiting ?? [];
    if (!line || !waiting) return;
    this.#forget(of, waiting);
    if (this.#lines.delete(of)) this.#lines.set(of, line);
    this.#running[rank] += 1;
    waiting.begin(rank);
  }

  #forget(of: string, waiting: Waiting): void {
    const line = this.#lines.get(of);
    if (!line?.waiting.delete(waiting)) return;
    this.#waitingCount -= 1;
    if (line.waiting.size === 0) this.#lines.delete(of);
  }

  #openOf(key: string): number {
    return this.#open.get(key) ?? 0;
  }
}

/** Who sends a request. Open requests are counted per address and per session. */
export interface Visitor {
  address: string;
  /** The session cookie as sent, valid or not; null without one. */
  session: string | null;
}

export interface PageLimits {
  /** Requests in progress at the same time. */
  atOnce: number;
  /** The same, while the API is in use. */
  atOnceBesideApi: number;
  /** The share of the time that page requests may take while the API is in use. */
  shareBesideApi: number;
  /** Unused time is saved up to this, so that an occasional page never waits. */
  savedMsMax: number;
  perAddress: number;
  perSession: number;
  waitingMax: number;
  waitMsMax: number;
}

/** Why a request is refused: its address or session has too many open, too many wait, or it waited too long. */
export type PageRefusal = 'address' | 'session' | 'full' | 'late';

export interface Place {
  /** Resolves to null when the request may begin, or to why it may not. */
  turn: Promise<PageRefusal | null>;
  /** The work is done and the next request may begin. Safe to repeat. */
  rest(): void;
  /** The request is over, whether it waited or ran. Safe to repeat. */
  leave(): void;
}

/** A request that takes longer probably waits for something itself, so it no longer delays others. */
const HELD_MS_MAX = 1_000;
/** The largest debt, which is the most that one request can use. Without a debt, the API would lose this time. */
const OWED_MS_MAX = HELD_MS_MAX;

interface Waiting {
  begin(): void;
}

/**
 * Runs a few page requests at a time, addresses in turn, within the pages' share of the time while the API is in
 * use. However many page requests arrive, the API's requests compete with the same few.
 */
export class PageLimiter {
  readonly #limits: PageLimits;
  readonly #isApiInUse: () => boolean;
  readonly #open = new Map<string, number>();
  /** By address, the next in turn first. */
  readonly #waiting = new Map<string, Set<Waiting>>();
  #waitingCount = 0;
  #running = 0;
  #savedMs: number;
  #countedAtMs = performance.now();
  #again: NodeJS.Timeout | undefined;

  constructor(limits: PageLimits, isApiInUse: () => boolean) {
    this.#limits = limits;
    this.#isApiInUse = isApiInUse;
    this.#savedMs = limits.savedMsMax;
  }

  /** Takes a request. One that is not `counted` has no limit per address or session. */
  take({ address, session }: Visitor, { counted }: { counted: boolean }): Place {
    const refused = (why: PageRefusal): Place => ({
      turn: Promise.resolve(why),
      rest: () => {},
      leave: () => {},
    });
    const { perAddress, perSession, waitingMax } = this.#limits;
    const keys = counted ? [`address ${address}`, ...(session === null ? [] : [`session ${session}`])] : [];
    if (counted && this.#openOf(`address ${address}`) >= perAddress) return refused('address');
    if (counted && session !== null && this.#openOf(`session ${session}`) >= perSession)
      return refused('session');
    if (this.#waitingCount >= waitingMax) return refused('full');
    for (const key of keys) this.#open.set(key, this.#openOf(key) + 1);
    return this.#place(address, keys);
  }

  #place(address: string, keys: string[]): Place {
    const { promise: turn, resolve } = Promise.withResolvers<PageRefusal | null>();
    let state: 'waiting' | 'running' | 'resting' | 'over' = 'waiting';
    let timer: NodeJS.Timeout;
    const rest = () => {
      if (state !== 'running') return;
      state = 'resting';
      clearTimeout(timer);
      this.#count();
      this.#running -= 1;
      this.#pump();
    };
    const leave = () => {
      if (state === 'over') return;
      if (state === 'waiting') this.#forget(address, waiting);
      rest();
      clearTimeout(timer);
      state = 'over';
      for (const key of keys) {
        const left = this.#openOf(key) - 1;
        if (left > 0) this.#open.set(key, left);
        else this.#open.delete(key);
      }
    };
    const waiting: Waiting = {
      begin: () => {
        clearTimeout(timer);
        state = 'running';
        timer = setTimeout(rest, HELD_MS_MAX);
        resolve(null);
      },
    };
    timer = setTimeout(() => {
      leave();
      resolve('late');
    }, this.#limits.waitMsMax);
    const line = this.#waiting.get(address) ?? new Set();
    this.#waiting.set(address, line.add(waiting));
    this.#waitingCount += 1;
    this.#pump();
    return { turn, rest, leave };
  }

  /** Starts the requests that may start now, and runs again when the pages have time left. */
  #pump(): void {
    clearTimeout(this.#again);
    this.#count();
    while (this.#waitingCount > 0) {
      const besideApi = this.#isApiInUse();
      if (this.#running >= (besideApi ? this.#limits.atOnceBesideApi : this.#limits.atOnce)) return;
      if (besideApi && this.#savedMs <= 0) {
        const inMs = Math.ceil((1 - this.#savedMs) / this.#limits.shareBesideApi);
        this.#again = setTimeout(() => this.#pump(), inMs);
        return;
      }
      this.#next()?.begin();
    }
  }

  /** The next in turn: from the address served longest ago. */
  #next(): Waiting | undefined {
    const [address, line] = this.#waiting.entries().next().value ?? [];
    const waiting = line?.values().next().value;
    if (address === undefined || waiting === undefined) return undefined;
    this.#forget(address, waiting);
    const left = this.#waiting.get(address);
    if (left) {
      this.#waiting.delete(address);
      this.#waiting.set(address, left);
    }
    this.#running += 1;
    return waiting;
  }

  #forget(address: string, waiting: Waiting): void {
    const line = this.#waiting.get(address);
    if (!line?.delete(waiting)) return;
    this.#waitingCount -= 1;
    if (line.size === 0) this.#waiting.delete(address);
  }

  #openOf(key: string): number {
    return this.#open.get(key) ?? 0;
  }

  /** Adds the time that the pages earned since the last call, and subtracts what they used. */
  #count(): void {
    const now = performance.now();
    const passedMs = now - this.#countedAtMs;
    this.#countedAtMs = now;
    const earned = this.#isApiInUse() ? passedMs * this.#limits.shareBesideApi : passedMs;
    const used = this.#running > 0 ? passedMs : 0;
    const saved = this.#savedMs + earned - used;
    this.#savedMs = Math.max(-OWED_MS_MAX, Math.min(this.#limits.savedMsMax, saved));
  }
}

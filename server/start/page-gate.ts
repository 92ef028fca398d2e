/** Who asks: as many requests as one may have open are counted for each of them. */
export interface Visitor {
  address: string;
  /** The session cookie as it was sent, whether or not it holds; null without one. */
  session: string | null;
}

export interface GateLimits {
  /** Requests that are worked on at the same moment. */
  atOnce: number;
  /** The same, while the API is in use. */
  atOnceBesideApi: number;
  /** The part of the time that they may take while the API is in use. */
  shareBesideApi: number;
  /** What they have not used of it is kept up to this, so that a page that is opened now and then never waits. */
  savedMsMax: number;
  perAddress: number;
  perSession: number;
  waitingMax: number;
  waitMsMax: number;
}

/** Why a request is not answered: its visitor has too many open, or the gate has. */
export type GateRefusal = 'address' | 'session' | 'full' | 'late';

/** A request at the gate. */
export interface Place {
  /** Resolves when it may be worked on: to null, or to why it may not. */
  turn: Promise<GateRefusal | null>;
  /** The work is done: the next one may begin. Safe to repeat. */
  rest(): void;
  /** The request is over, wherever it was. Safe to repeat. */
  leave(): void;
}

/** A request that takes longer than this waits for something itself, and holds nobody up. */
const HELD_MS_MAX = 1_000;
/** All that a request can have used: what is not owed would be taken from the API. */
const OWED_MS_MAX = HELD_MS_MAX;

interface Waiting {
  begin(): void;
}

/**
 * Lets the pages' requests into the process a few at a time, in turn by address, and none for longer than the pages'
 * share of the time while the API is in use: however many ask, the API's requests meet the same few.
 */
export class PageGate {
  readonly #limits: GateLimits;
  readonly #isApiInUse: () => boolean;
  readonly #open = new Map<string, number>();
  /** By address, those whose turn is next first. */
  readonly #waiting = new Map<string, Set<Waiting>>();
  #waitingCount = 0;
  #running = 0;
  #savedMs: number;
  #countedAtMs = performance.now();
  #again: NodeJS.Timeout | undefined;

  constructor(limits: GateLimits, isApiInUse: () => boolean) {
    this.#limits = limits;
    this.#isApiInUse = isApiInUse;
    this.#savedMs = limits.savedMsMax;
  }

  /** Takes a request. Where it is not `counted`, only the gate itself can be full. */
  take({ address, session }: Visitor, { counted }: { counted: boolean }): Place {
    const refused = (why: GateRefusal): Place => ({
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
    const { promise: turn, resolve } = Promise.withResolvers<GateRefusal | null>();
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

  /** Begins what may begin now, and comes back when the rest of the time is the pages' again. */
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

  /** The next in turn: of the address whose last one is longest ago. */
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

  /** What was used of the pages' time, and what came to it, since this was last asked. */
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

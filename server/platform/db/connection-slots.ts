/** All connections are in use and answer: there are more callers at once than can be served. */
const BUSY = 'POOL_BUSY';
/** All connections are in use and none of them has answered since: the database is out of reach. */
const SILENT = 'CONNECT_TIMEOUT';

/**
 * Lets as many in at once as there are connections, the others in their order. The driver has one bound for waiting
 * and for connecting, and one error; they are two things.
 */
export class ConnectionSlots {
  readonly #waitMsMax: number;
  readonly #line = new Set<() => void>();
  #free: number;
  #movedAtMs = Number.NEGATIVE_INFINITY;

  constructor(max: number, waitMsMax: number) {
    this.#free = max;
    this.#waitMsMax = waitMsMax;
  }

  get waiting(): number {
    return this.#line.size;
  }

  /** Resolves when it is one's turn. Rejects with the code `POOL_BUSY`, or `CONNECT_TIMEOUT` where nothing moved. */
  take(): Promise<void> {
    if (this.#free > 0) {
      this.#free -= 1;
      return Promise.resolve();
    }
    const sinceMs = performance.now();
    return new Promise((resolve, reject) => {
      const begin = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        this.#line.delete(begin);
        const moved = this.#movedAtMs > sinceMs;
        const message = moved ? 'too many wait for a connection' : 'no connection of the pool answers';
        reject(Object.assign(new Error(message), { code: moved ? BUSY : SILENT }));
      }, this.#waitMsMax);
      this.#line.add(begin);
    });
  }

  /** Hands one's turn on. `moved`: the connection has answered. */
  give({ moved }: { moved: boolean }): void {
    if (moved) this.#movedAtMs = performance.now();
    const [next] = this.#line;
    if (!next) {
      this.#free += 1;
      return;
    }
    this.#line.delete(next);
    next();
  }
}

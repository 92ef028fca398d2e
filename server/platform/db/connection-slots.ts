/** All connections are in use and working: too many callers at once. */
const BUSY = 'POOL_BUSY';
/**
 * All connections are in use, and none has answered since the caller began to wait: the database is unreachable.
 */
const SILENT = 'CONNECT_TIMEOUT';

/**
 * Lets in as many callers as there are connections; the others wait in line. The driver cannot distinguish a wait
 * for a free connection from a slow connect.
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

  /**
   * Resolves at the caller's turn. Rejects with the code `POOL_BUSY`, or `CONNECT_TIMEOUT` if no connection
   * answered.
   */
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

  /** Passes the turn to the next caller. `moved`: the connection has answered. */
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

/** All connections are in use and working: too many callers at once. */
const BUSY = 'POOL_BUSY';
/**
 * All connections are in use, and none has answered since the caller began to wait: the database is unreachable.
 */
const SILENT = 'CONNECT_TIMEOUT';

/** The callers of one turn: an account's, for example. */
interface Line {
  waiting: Set<() => void>;
  held: number;
}

/**
 * Lets in as many callers as there are connections; the others wait. Callers of different turns alternate, and one turn
 * holds at most `perTurn`, except the empty one. The driver cannot distinguish a wait for a free connection from a slow connect.
 */
export class ConnectionSlots {
  readonly #perTurn: number;
  readonly #waitMsMax: number;
  /** By turn, the one that was served longest ago first. */
  readonly #lines = new Map<string, Line>();
  #free: number;
  #movedAtMs = Number.NEGATIVE_INFINITY;

  constructor(max: number, waitMsMax: number, perTurn = max) {
    this.#perTurn = perTurn;
    this.#free = max;
    this.#waitMsMax = waitMsMax;
  }

  get waiting(): number {
    return [...this.#lines.values()].reduce((sum, { waiting }) => sum + waiting.size, 0);
  }

  /**
   * Resolves at the caller's turn. Rejects with the code `POOL_BUSY`, or `CONNECT_TIMEOUT` if no connection
   * answered.
   */
  take(turn = ''): Promise<void> {
    const sinceMs = performance.now();
    const line = this.#lines.get(turn) ?? { waiting: new Set(), held: 0 };
    this.#lines.set(turn, line);
    return new Promise((resolve, reject) => {
      const begin = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        line.waiting.delete(begin);
        this.#forgetEmpty(turn);
        const moved = this.#movedAtMs > sinceMs;
        const message = moved ? 'too many wait for a connection' : 'no connection of the pool answers';
        reject(Object.assign(new Error(message), { code: moved ? BUSY : SILENT }));
      }, this.#waitMsMax);
      line.waiting.add(begin);
      this.#letIn();
    });
  }

  /** Passes the connection on. `moved`: it has answered. */
  give({ moved, turn = '' }: { moved: boolean; turn?: string }): void {
    if (moved) this.#movedAtMs = performance.now();
    const line = this.#lines.get(turn);
    if (line) line.held -= 1;
    this.#forgetEmpty(turn);
    this.#free += 1;
    this.#letIn();
  }

  #letIn(): void {
    for (const [turn, line] of this.#lines) {
      if (this.#free === 0) return;
      const [begin] = line.waiting;
      if (!begin || (turn !== '' && line.held >= this.#perTurn)) continue;
      line.waiting.delete(begin);
      line.held += 1;
      this.#free -= 1;
      // Behind the others. The loop comes to it again.
      this.#lines.delete(turn);
      this.#lines.set(turn, line);
      begin();
    }
  }

  #forgetEmpty(turn: string): void {
    const line = this.#lines.get(turn);
    if (line?.held === 0 && line.waiting.size === 0) this.#lines.delete(turn);
  }
}

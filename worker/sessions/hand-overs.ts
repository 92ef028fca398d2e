import { setTimeout as delay } from 'node:timers/promises';
import { MOVE_MS, stillMoving } from '#server/numbers/queries/moves.ts';
import { type Fleet, readFleet } from '#server/operations/queries/workers.ts';
import type { Database } from '#server/platform/db/client.ts';
import type { Log } from '#server/platform/log.ts';
import type { LeasedNumbers } from './leased-numbers.ts';

interface HandOversOptions {
  database: Database;
  log: Log;
  workerId: string;
  held: LeasedNumbers;
  /** It takes up nothing and hands over what it has. */
  isDraining(): boolean;
  /** Sessions end now; nobody waits for other workers any more. */
  isStopping(): boolean;
}

/** What is being dispatched gets this long for its outcome, while everything else goes on: longer than an ack may take. */
const MOVE_GRACE_MS = 32_000;
/** So many numbers are on their way to other workers at a time; more where a drain would take too long else. */
const MOVES_AT_ONCE = 4;
const MOVE_ROUNDS = 12;
const MOVE_POLL_MS = 200;

/** Hands numbers over to other workers, a few at a time, so that none is away for long. */
export class HandOvers {
  readonly #o: HandOversOptions;
  /** On the way to another worker. */
  readonly #moving = new Map<string, Promise<void>>();

  constructor(options: HandOversOptions) {
    this.#o = options;
  }

  /** Hands every number over, a few at a time; gives up at `until`, or when it is not wanted any more. */
  async handAllOver(until: number): Promise<void> {
    const { database, workerId, held } = this.#o;
    const atOnce = Math.max(MOVES_AT_ONCE, Math.ceil(held.size / MOVE_ROUNDS));
    while (this.#o.isDraining() && !this.#o.isStopping() && performance.now() < until) {
      // The last other worker may stop as well.
      if ((await readFleet(database, { workerId })).fewestElsewhere === null) return;
      const next = held.numberIds().find((numberId) => !this.#moving.has(numberId));
      if (next !== undefined && this.#moving.size < atOnce) this.#move(next);
      else if (this.#moving.size > 0) await Promise.race([...this.#moving.values(), delay(MOVE_POLL_MS)]);
      else return;
    }
  }

  /** Hands over what is more than this worker's share, where another has less than its own. */
  shareOut({ numbers, own, workers, fewestElsewhere }: Fleet): void {
    const share = numbers / Math.max(1, workers);
    if (fewestElsewhere === null || fewestElsewhere >= Math.floor(share)) return;
    let excess = Math.min(own - Math.ceil(share), MOVES_AT_ONCE) - this.#moving.size;
    for (const numberId of this.#o.held.numberIds()) {
      if (excess <= 0) return;
      if (!this.#o.held.worker(numberId)?.movable || this.#moving.has(numberId)) continue;
      this.#move(numberId);
      excess -= 1;
    }
  }

  #move(numberId: string): void {
    const move = this.#handOver(numberId)
      .catch((error: unknown) => this.#o.log.warn({ err: error, numberId }, 'a number was not handed over'))
      .finally(() => this.#moving.delete(numberId));
    this.#moving.set(numberId, move);
  }

  /** Resolves when the number is connected elsewhere, or has had its time for that. */
  async #handOver(numberId: string): Promise<void> {
    const { database, held } = this.#o;
    const worker = held.worker(numberId);
    if (!worker) return;
    // Held and renewed until nothing is on its way any more.
    await worker.quiesce(MOVE_GRACE_MS);
    if (held.worker(numberId) !== worker) return;
    await held.stop(numberId, { graceMs: 0, moving: true });
    const until = performance.now() + MOVE_MS;
    while (performance.now() < until && !this.#o.isStopping()) {
      if ((await stillMoving(database, { numberIds: [numberId] })).length === 0) return;
      await delay(MOVE_POLL_MS);
    }
  }
}

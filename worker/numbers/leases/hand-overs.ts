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
  leased: LeasedNumbers;
  /** The worker no longer starts numbers, and hands its numbers over. */
  isDraining(): boolean;
  /** Sessions end now, without waiting for other workers. */
  isStopping(): boolean;
}

/** A current dispatch may take this long to get its outcome: longer than an acknowledgement may take. */
const MOVE_GRACE_MS = 32_000;
/** How many numbers move to other workers at a time; more if a drain would take too long otherwise. */
const MOVES_AT_ONCE = 4;
const MOVE_ROUNDS = 12;
const MOVE_POLL_MS = 200;

/** Hands numbers over to other workers, a few at a time, so that none is disconnected for long. */
export class HandOvers {
  readonly #o: HandOversOptions;
  /** Numbers that move to another worker. */
  readonly #moving = new Map<string, Promise<void>>();

  constructor(options: HandOversOptions) {
    this.#o = options;
  }

  /** Hands all numbers over. Gives up at `until`, or when the drain is cancelled. */
  async handAllOver(until: number): Promise<void> {
    const { database, workerId, leased } = this.#o;
    const atOnce = Math.max(MOVES_AT_ONCE, Math.ceil(leased.size / MOVE_ROUNDS));
    while (this.#o.isDraining() && !this.#o.isStopping() && performance.now() < until) {
      // The last other worker may also stop.
      if ((await readFleet(database, { workerId })).fewestElsewhere === null) return;
      const next = leased.numberIds().find((numberId) => !this.#moving.has(numberId));
      if (next !== undefined && this.#moving.size < atOnce) this.#move(next);
      else if (this.#moving.size > 0) await Promise.race([...this.#moving.values(), delay(MOVE_POLL_MS)]);
      else return;
    }
  }

  /** Hands over numbers beyond this worker's share, if another worker has less than its share. */
  balance({ numbers, own, workers, fewestElsewhere }: Fleet): void {
    const share = numbers / Math.max(1, workers);
    if (fewestElsewhere === null || fewestElsewhere >= Math.floor(share)) return;
    let excess = Math.min(own - Math.ceil(share), MOVES_AT_ONCE) - this.#moving.size;
    for (const numberId of this.#o.leased.numberIds()) {
      if (excess <= 0) return;
      if (!this.#o.leased.runner(numberId)?.movable || this.#moving.has(numberId)) continue;
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

  /** Resolves when the number is connected elsewhere, or the time for that is over. */
  async #handOver(numberId: string): Promise<void> {
    const { database, leased } = this.#o;
    const runner = leased.runner(numberId);
    if (!runner) return;
    // The lease is held and renewed until no dispatch is open.
    await runner.quiesce(MOVE_GRACE_MS);
    if (leased.runner(numberId) !== runner) return;
    await leased.stop(numberId, { graceMs: 0, moving: true });
    const until = performance.now() + MOVE_MS;
    while (performance.now() < until && !this.#o.isStopping()) {
      if ((await stillMoving(database, { numberIds: [numberId] })).length === 0) return;
      await delay(MOVE_POLL_MS);
    }
  }
}

import { setTimeout as delay } from 'node:timers/promises';
import type { Holding } from '#server/core/lease.ts';
import { holds, releaseLease } from '#server/numbers/queries/leases.ts';
import { beginMove } from '#server/numbers/queries/moves.ts';
import type { Database } from '#server/platform/db/client.ts';
import type { DiskWatch } from '#server/platform/disk/disk-watch.ts';
import type { Log } from '#server/platform/log.ts';
import { layDown } from '../profiles/take-up.ts';
import type { NumberWorker } from './number-worker.ts';

interface LeasedNumbersOptions {
  database: Database;
  log: Log;
  workerId: string;
  profileDir(numberId: string): string;
  volumeId: string;
  disk: DiskWatch;
  /** A number's session has ended and its lease was given back, as far as that could be. */
  onEnded(): void;
}

interface Held {
  fence: number;
  worker: NumberWorker;
  leaseMs: number;
  /** When the last successful renewal was asked for, on the monotonic clock. */
  renewedAtMs: number;
}

/** A session ends when this part of its lease went by unrenewed: its browser is gone before the lease is. */
const GIVE_UP_PART = 0.6;
/** What is being dispatched gets this long for its outcome when everything stops at once. */
export const STOP_GRACE_MS = 8000;
/** A browser that is ended because its lease runs out is gone this long before the lease is. */
const KILL_BEFORE_MS = 2000;
const ASK_AGAIN_MS = 250;

/** The numbers whose leases this process holds: what may be done under each, and how each of them ends. */
export class LeasedNumbers {
  readonly #o: LeasedNumbersOptions;
  readonly #held = new Map<string, Held>();
  readonly #ending = new Map<string, Promise<void>>();

  constructor(options: LeasedNumbersOptions) {
    this.#o = options;
  }

  get size(): number {
    return this.#held.size;
  }

  has(numberId: string): boolean {
    return this.#held.has(numberId);
  }

  /** Its session has not ended yet, or its lease is still to be given back. */
  isEnding(numberId: string): boolean {
    return this.#ending.has(numberId);
  }

  numberIds(): string[] {
    return [...this.#held.keys()];
  }

  worker(numberId: string): NumberWorker | undefined {
    return this.#held.get(numberId)?.worker;
  }

  /** From now on the number is held. `renewedAtMs`: when its lease was asked for, on the monotonic clock. */
  add(numberId: string, held: Held): void {
    this.#held.set(numberId, held);
  }

  /** Goes on with what was renewed, as asked for at `askedAtMs`, and abandons the rest. */
  keepRenewed(renewed: ReadonlyMap<string, number>, askedAtMs: number): void {
    for (const [numberId, held] of this.#held) {
      // Silent for too long it has refused to write and to dispatch: only a new fence makes clear what that left.
      if (renewed.get(numberId) === held.fence && !isSilent(held)) held.renewedAtMs = askedAtMs;
      else void this.abandon(numberId);
    }
  }

  /** Asked again while the database is away: a message is at the gate, and not to be lost over a moment. */
  async mayDispatch(holding: Holding): Promise<boolean> {
    while (this.isHeld(holding)) {
      try {
        return await holds(this.#o.database, holding);
      } catch {
        await delay(ASK_AGAIN_MS);
      }
    }
    return false;
  }

  /** May this process act for the number, by its own monotonic clock? */
  isHeld({ numberId, fence }: Holding): boolean {
    const held = this.#held.get(numberId);
    return held?.fence === fence && !isSilent(held);
  }

  /** A lease that could not be renewed for too long ends its session, by the monotonic clock. */
  giveUpSilent(): void {
    for (const [numberId, held] of this.#held) if (isSilent(held)) void this.abandon(numberId);
  }

  /** Ends a session whose lease cannot be kept, before another worker can have it. */
  abandon(numberId: string): Promise<void> {
    const held = this.#held.get(numberId);
    const leftMs = held ? held.renewedAtMs + held.leaseMs - performance.now() : 0;
    return this.#release(numberId, (w) => w.abandon(Math.max(0, leftMs - KILL_BEFORE_MS)), false, false);
  }

  /**
   * Ends a session cleanly and gives its lease back. `moving`: another worker is to have it, and it is shown as
   * it was until then. `reason`: what it waits for until somebody takes it up again.
   */
  stop(
    numberId: string,
    { graceMs = STOP_GRACE_MS, moving = false, reason = null as string | null } = {},
  ): Promise<void> {
    const end = async (worker: NumberWorker) => {
      if (reason) await worker.tellAway(reason);
      await worker.stop(graceMs);
      // A session that was lost meanwhile has said why.
      if (reason) await worker.tellAway(reason);
    };
    return this.#release(numberId, end, moving);
  }

  /** Ends them all as `stop` does, and waits for those that are ending already. */
  stopAll(options: { graceMs: number; moving: boolean }): Promise<unknown> {
    return Promise.all([
      ...this.numberIds().map((numberId) => this.stop(numberId, options)),
      ...this.#ending.values(),
    ]);
  }

  /** `moving`: another worker is to have it, and it is shown as it was until then. `clean`: it can go on elsewhere. */
  #release(
    numberId: string,
    end: (worker: NumberWorker) => Promise<void>,
    moving = false,
    clean = true,
  ): Promise<void> {
    const held = this.#held.get(numberId);
    if (!held) return this.#ending.get(numberId) ?? Promise.resolve();
    this.#held.delete(numberId);
    const ended = this.#end(numberId, held, { end, moving, clean }).finally(() => {
      this.#ending.delete(numberId);
      this.#o.onEnded();
    });
    this.#ending.set(numberId, ended);
    return ended;
  }

  async #end(
    numberId: string,
    { fence, worker }: Held,
    { end, moving, clean }: { end: (worker: NumberWorker) => Promise<void>; moving: boolean; clean: boolean },
  ): Promise<void> {
    const { database, disk, log, volumeId, workerId } = this.#o;
    const holding = { numberId, workerId, fence };
    const profileDir = this.#o.profileDir(numberId);
    try {
      if (moving && worker.movable) await beginMove(database, holding);
      await end(worker);
      const { linked } = worker;
      const roomBytes = disk.freeBytes('database');
      if (clean) await layDown({ database, holding, profileDir, volumeId }, { linked, log, roomBytes });
    } catch (error) {
      log.error({ err: error, numberId }, 'a session did not end cleanly');
    }
    await releaseLease(database, holding, { tell: clean }).catch((error: unknown) =>
      log.warn({ err: error, numberId }, 'a lease could not be given back'),
    );
  }
}

function isSilent({ renewedAtMs, leaseMs }: Held): boolean {
  return performance.now() - renewedAtMs >= leaseMs * GIVE_UP_PART;
}

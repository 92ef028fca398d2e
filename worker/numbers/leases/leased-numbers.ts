import { setTimeout as delay } from 'node:timers/promises';
import type { Holding } from '#server/core/lease.ts';
import type { Cause } from '#server/core/number/cause.ts';
import { canDispatch, releaseLease } from '#server/numbers/queries/leases.ts';
import { beginMove } from '#server/numbers/queries/moves.ts';
import type { Database } from '#server/platform/db/client.ts';
import type { DiskWatch } from '#server/platform/disk/disk-watch.ts';
import type { Log } from '#server/platform/log.ts';
import { releaseProfile } from '../../profiles/acquire-profile.ts';
import type { NumberRunner } from '../runner.ts';
import { showWaiting } from '../show-waiting.ts';

interface LeasedNumbersOptions {
  database: Database;
  log: Log;
  workerId: string;
  profileDir(numberId: string): string;
  volumeId: string;
  disk: DiskWatch;
  /** A number's session has ended, and its lease was released if possible. */
  onEnded(): void;
}

interface Renewed {
  fence: number;
  /** When the last successful renewal was requested, on the monotonic clock. */
  renewedAtMs: number;
}

interface LeasedNumber extends Renewed {
  runner: NumberRunner;
  leaseMs: number;
}

/** A session ends after this part of its lease without a renewal, so that its browser ends before the lease. */
const LEASE_PART = 0.6;
/** When everything stops at once, a current dispatch may take this long to get its outcome. */
export const STOP_GRACE_MS = 8000;
/** A browser whose lease expires is killed this long before that. */
const KILL_BEFORE_MS = 2000;
const RETRY_MS = 250;

/** The numbers whose leases this process holds: whether it may act for each, and how each ends. */
export class LeasedNumbers {
  readonly #o: LeasedNumbersOptions;
  readonly #leased = new Map<string, LeasedNumber>();
  /** Claimed numbers that are being started. */
  readonly #claimed = new Map<string, Renewed>();
  readonly #ending = new Map<string, Promise<void>>();

  constructor(options: LeasedNumbersOptions) {
    this.#o = options;
  }

  get size(): number {
    return this.#leased.size;
  }

  has(numberId: string): boolean {
    return this.#leased.has(numberId);
  }

  /** The number's session is ending, or its lease is not released yet. */
  isEnding(numberId: string): boolean {
    return this.#ending.has(numberId);
  }

  numberIds(): string[] {
    return [...this.#leased.keys()];
  }

  runner(numberId: string): NumberRunner | undefined {
    return this.#leased.get(numberId)?.runner;
  }

  /** A claimed number is being started, which can take longer than its lease lasts without a renewal. */
  claimed(numberId: string, claim: Renewed): void {
    this.#claimed.set(numberId, claim);
  }

  /** Its start has ended. */
  forgetClaim(numberId: string): void {
    this.#claimed.delete(numberId);
  }

  /** A claimed number has its runner. */
  add(numberId: string, number: { fence: number; runner: NumberRunner; leaseMs: number }): void {
    const renewedAtMs = this.#claimed.get(numberId)?.renewedAtMs ?? Number.NEGATIVE_INFINITY;
    this.#leased.set(numberId, { ...number, renewedAtMs });
  }

  /** Keeps the numbers whose leases were renewed by the request of `askedAtMs`, and abandons the others. */
  keepRenewed(renewed: ReadonlyMap<string, number>, askedAtMs: number): void {
    for (const [numberId, claim] of this.#claimed)
      if (renewed.get(numberId) === claim.fence) claim.renewedAtMs = askedAtMs;
    for (const [numberId, number] of this.#leased) {
      // An overdue number is abandoned even if its renewal arrived late: it has already refused writes and dispatches.
      if (renewed.get(numberId) === number.fence && !isOverdue(number)) number.renewedAtMs = askedAtMs;
      else void this.abandon(numberId);
    }
  }

  /** Like `holdsLease`, but asks the database, for a message at the gate. Retries while the database is not available. */
  async leaseAllowsDispatch(holding: Holding): Promise<boolean> {
    while (this.holdsLease(holding)) {
      try {
        return await canDispatch(this.#o.database, holding);
      } catch {
        await delay(RETRY_MS);
      }
    }
    return false;
  }

  /** May this process act for the number, by its monotonic clock? */
  holdsLease({ numberId, fence }: Holding): boolean {
    const number = this.#leased.get(numberId);
    return number?.fence === fence && !isOverdue(number);
  }

  /** Ends the sessions whose leases were not renewed in time, by the monotonic clock. */
  abandonOverdue(): void {
    for (const [numberId, number] of this.#leased) if (isOverdue(number)) void this.abandon(numberId);
  }

  /** Ends a session whose lease cannot be kept, before another worker can claim it. */
  abandon(numberId: string): Promise<void> {
    const number = this.#leased.get(numberId);
    const leftMs = number ? number.renewedAtMs + number.leaseMs - performance.now() : 0;
    return this.#release(
      numberId,
      (runner) => runner.abandon(Math.max(0, leftMs - KILL_BEFORE_MS)),
      false,
      false,
    );
  }

  /**
   * Ends a session cleanly and releases its lease. `moving`: another worker takes the number, and its shown state
   * does not change until then. `cause`: shown until a worker takes the number again.
   */
  stop(
    numberId: string,
    { graceMs = STOP_GRACE_MS, moving = false, cause = null as Cause | null } = {},
  ): Promise<void> {
    const { database, workerId } = this.#o;
    const holding = { numberId, workerId, fence: this.#leased.get(numberId)?.fence ?? 0 };
    const end = async (runner: NumberRunner) => {
      if (cause) await showWaiting(database, holding, cause);
      await runner.stop(graceMs);
      // Written again, because a session that was lost during the stop has written its own cause.
      if (cause) await showWaiting(database, holding, cause);
    };
    return this.#release(numberId, end, moving);
  }

  /** Stops all numbers, and waits for those that are ending already. */
  stopAll(options: { graceMs: number; moving: boolean }): Promise<unknown> {
    return Promise.all([
      ...this.numberIds().map((numberId) => this.stop(numberId, options)),
      ...this.#ending.values(),
    ]);
  }

  /** `moving`: another worker takes the number. `clean`: its session can continue elsewhere. */
  #release(
    numberId: string,
    end: (runner: NumberRunner) => Promise<void>,
    moving = false,
    clean = true,
  ): Promise<void> {
    const number = this.#leased.get(numberId);
    if (!number) return this.#ending.get(numberId) ?? Promise.resolve();
    this.#leased.delete(numberId);
    const ended = this.#end(numberId, number, { end, moving, clean }).finally(() => {
      this.#ending.delete(numberId);
      this.#o.onEnded();
    });
    this.#ending.set(numberId, ended);
    return ended;
  }

  async #end(
    numberId: string,
    { fence, runner }: LeasedNumber,
    { end, moving, clean }: { end: (runner: NumberRunner) => Promise<void>; moving: boolean; clean: boolean },
  ): Promise<void> {
    const { database, disk, log, volumeId, workerId } = this.#o;
    const holding = { numberId, workerId, fence };
    const profileDir = this.#o.profileDir(numberId);
    try {
      if (moving && runner.movable) await beginMove(database, holding);
      await end(runner);
      const { linked } = runner;
      const roomBytes = disk.freeBytes('database');
      if (clean)
        await releaseProfile({ database, holding, profileDir, volumeId }, { linked, log, roomBytes });
    } catch (error) {
      log.error({ err: error, numberId }, 'a session did not end cleanly');
    }
    await releaseLease(database, holding, { notify: clean }).catch((error: unknown) =>
      log.warn({ err: error, numberId }, 'a lease could not be released'),
    );
  }
}

function isOverdue({ renewedAtMs, leaseMs }: LeasedNumber): boolean {
  return performance.now() - renewedAtMs >= leaseMs * LEASE_PART;
}

import { newId } from '#server/core/id.ts';
import type { Holding } from '#server/core/lease.ts';
import { findOverlooked } from '#server/messages/queries/sweeps.ts';
import { claimLeases, RENEW_EVERY_MS, releaseLease, renewLeases } from '#server/numbers/queries/leases.ts';
import { markStranded } from '#server/numbers/queries/moves.ts';
import { findToStop, markStopped } from '#server/plans/queries/session-stops.ts';
import { type NumberChange, onNumberChange } from '#server/platform/queue/changes.ts';
import { Limiter } from '../../profiles/limiter.ts';
import { IntervalGuard } from '../dispatch/interval-guard.ts';
import { sweepMessages } from '../dispatch/lost-claims.ts';
import { ServicePause } from '../service-pause.ts';
import { showWaiting } from '../show-waiting.ts';
import { type BeginOptions, beginNumber, type ClaimedLease } from './begin-number.ts';
import { DiskStop } from './disk-stop.ts';
import { followMessages } from './follow-messages.ts';
import { HandOvers } from './hand-overs.ts';
import { LeasedNumbers, STOP_GRACE_MS } from './leased-numbers.ts';
import { WorkerHeartbeat } from './worker-heartbeat.ts';

export interface SupervisorOptions extends BeginOptions {
  /** Memory of this process and its browsers; null if unknown. */
  memoryBytes?(): Promise<number | null>;
  numbersMax?: number;
}

/** Browsers that start together slow each other down. */
const STARTS_AT_ONCE = 2;
const SWEEP_EVERY_MS = 1000;
const SPOOL_SWEEP_EVERY_MS = 5 * 60_000;
const DRAIN_WITHIN_MS = 60_000;
/** A drain with less time than this stops everything at once. */
const STAGED_DRAIN_MS_MIN = 20_000;
/** The part of a drain's time that is kept for sessions that were not handed over. */
const LAST_STOP_MS = 20_000;
const MEMORY_EVERY_MS = 30_000;

/**
 * Runs the sessions of one worker process: claims its share of the leases, renews them, ends sessions whose lease is
 * lost, and hands numbers over to other workers when it drains or has more than its share.
 */
export class Supervisor {
  readonly workerId = newId('worker');
  readonly #o: SupervisorOptions;
  readonly #starts = new Limiter(STARTS_AT_ONCE);
  readonly #intervalGuard = new IntervalGuard();
  readonly #servicePause = new ServicePause();
  readonly #leased: LeasedNumbers;
  readonly #handOvers: HandOvers;
  readonly #diskStop: DiskStop;
  readonly #heartbeat: WorkerHeartbeat;
  /** Claimed numbers that are being started. */
  readonly #starting = new Map<string, Promise<void>>();
  readonly #timers: NodeJS.Timeout[] = [];
  #stopListening: () => void = () => {};
  #ticking: Promise<void> | null = null;
  #tickAgain = false;
  /** The process was asked to stop. */
  #leaving = false;
  /** Sessions end now, without waiting for other workers. */
  #stopping = false;

  constructor(options: SupervisorOptions) {
    this.#o = options;
    const { database, log, volumeId } = options;
    const { workerId } = this;
    this.#leased = new LeasedNumbers({
      database,
      log,
      workerId,
      profileDir: (numberId) => options.profileDir(numberId),
      volumeId,
      disk: options.disk,
      onEnded: () => {
        // The number may have a new intent by now.
        if (!this.#stopping) void this.#tick().catch(() => {});
      },
    });
    this.#diskStop = new DiskStop({ ...options, leased: this.#leased, isStopping: () => this.#stopping });
    this.#heartbeat = new WorkerHeartbeat({
      ...options,
      workerId,
      isLeaving: () => this.#leaving,
      isDiskFull: () => this.#diskStop.isFull,
      onDrain: (drain) => this.#onDrain(drain),
    });
    this.#handOvers = new HandOvers({
      database,
      log,
      workerId,
      leased: this.#leased,
      isDraining: () => this.#heartbeat.draining,
      isStopping: () => this.#stopping,
    });
  }

  async start(): Promise<void> {
    const stopNumbers = await onNumberChange((change) => this.#onNumberChange(change));
    const stopMessages = await followMessages(this.workerId, { leased: this.#leased, ...this.#o });
    const stopDisk = this.#o.disk.onChange(() => void this.#tick().catch(() => {}));
    this.#stopListening = () => {
      stopNumbers();
      stopMessages();
      stopDisk();
    };
    this.#every(RENEW_EVERY_MS, () => this.#tick({ balance: true }));
    this.#every(SWEEP_EVERY_MS, () => this.#sweep());
    this.#every(SPOOL_SWEEP_EVERY_MS, () => this.#o.media.sweep());
    this.#every(MEMORY_EVERY_MS, () => this.#heartbeat.measureMemory());
    this.#every(1000, async () => this.#leased.abandonOverdue());
    await this.#heartbeat.measureMemory();
    // Before the first claim, so that files on the disk count for their accounts.
    await this.#o.media.sweep();
    await this.#tick({ balance: true });
  }

  /**
   * Ends every session cleanly within `withinMs`, keeps the links and releases the leases. If another worker runs, numbers
   * are handed over a few at a time, so that none is disconnected for long.
   */
  async stop(withinMs = STOP_GRACE_MS): Promise<void> {
    const until = performance.now() + withinMs;
    this.#leaving = true;
    const fleet = await this.#heartbeat.beat().catch(() => null);
    await Promise.all(this.#starting.values());
    const elsewhere = fleet !== null && fleet.fewestElsewhere !== null;
    if (elsewhere && withinMs >= STAGED_DRAIN_MS_MIN) await this.#handOvers.handAllOver(until - LAST_STOP_MS);
    this.#stopping = true;
    this.#stopListening();
    this.#o.media.stop();
    const graceMs = Math.min(STOP_GRACE_MS, Math.max(0, until - performance.now()));
    await this.#leased.stopAll({ graceMs, moving: elsewhere });
    for (const timer of this.#timers) clearInterval(timer);
    await this.#ticking?.catch(() => {});
    await this.#heartbeat.end();
  }

  /** Makes a number that this worker leases check its queue. */
  lookForWork(numberId: string): void {
    this.#leased.runner(numberId)?.dispatch.lookForWork();
  }

  /** The profile directory of each leased number. */
  heldProfiles(): Map<string, string> {
    return new Map(this.#leased.numberIds().map((numberId) => [numberId, this.#o.profileDir(numberId)]));
  }

  #every(ms: number, task: () => Promise<unknown>): void {
    const run = () =>
      task().catch((error: unknown) => this.#o.log.warn({ err: error }, 'a supervisor task failed'));
    this.#timers.push(setInterval(run, ms));
  }

  #onNumberChange(change: NumberChange): void {
    const changed = change.kind === 'number' ? [change.numberId] : this.#leased.numberIds();
    for (const numberId of changed) this.#leased.runner(numberId)?.changed();
    if (change.kind === 'number' && this.#leased.has(change.numberId)) return;
    void this.#tick().catch(() => {});
  }

  /** Renews leases, then claims new ones. A call during a run makes it run once more. */
  #tick({ balance = false } = {}): Promise<void> {
    if (this.#ticking) {
      this.#tickAgain = true;
      return this.#ticking;
    }
    this.#ticking = this.#renewAndClaim(balance).finally(() => {
      this.#ticking = null;
      if (!this.#tickAgain) return;
      this.#tickAgain = false;
      void this.#tick().catch(() => {});
    });
    return this.#ticking;
  }

  async #renewAndClaim(balance: boolean): Promise<void> {
    const { database, numbersMax = 1000, volumeId } = this.#o;
    const askedAtMs = performance.now();
    const renewed = new Map(
      (await renewLeases(database, { workerId: this.workerId })).map((l) => [l.numberId, l.fence]),
    );
    this.#leased.keepRenewed(renewed, askedAtMs);
    if (this.#stopping) return;
    await this.#releaseStray(renewed);
    await this.#stopUnused();
    const fleet = await this.#heartbeat.beat();
    if (this.#diskStop.isFull) {
      void this.#diskStop.stopAll(fleet);
      return;
    }
    if (this.#heartbeat.draining) return;
    if (balance) await markStranded(database.db);
    const most = numbersMax - this.#leased.size - this.#starting.size;
    if (this.#stopping || most <= 0) return;
    const claimedAtMs = performance.now();
    const share = Math.ceil(fleet.numbers / Math.max(1, fleet.workers));
    const free = fleet.fewestElsewhere === null ? most : Math.max(0, share - fleet.own);
    const claimed = await claimLeases(database, { workerId: this.workerId, volumeId, most, free });
    // Not awaited: a number that starts slowly must not delay the renewal of the others.
    for (const lease of claimed) this.#starting.set(lease.numberId, this.#begin(lease, claimedAtMs));
    if (balance) this.#handOvers.balance(fleet);
  }

  /** Stops numbers whose plan has lapsed, and trial numbers that nobody uses. */
  async #stopUnused(): Promise<void> {
    const { database } = this.#o;
    for (const numberId of await findToStop(database, { workerId: this.workerId }))
      this.#leased.runner(numberId)?.changed();
    await markStopped(database);
  }

  /**
   * Releases leases that the database gives to this worker although it runs no number for them, because the answer
   * to a claim or release was lost.
   */
  async #releaseStray(renewed: ReadonlyMap<string, number>): Promise<void> {
    for (const [numberId, fence] of renewed) {
      if (this.#leased.has(numberId) || this.#leased.isEnding(numberId) || this.#starting.has(numberId))
        continue;
      const holding = { numberId, workerId: this.workerId, fence };
      await releaseLease(this.#o.database, holding, { notify: false });
    }
  }

  async #sweep(): Promise<void> {
    const { database, media } = this.#o;
    await sweepMessages(database, this.workerId);
    const fetching = media.fetching();
    for (const numberId of await findOverlooked(database, { workerId: this.workerId, fetching }))
      this.lookForWork(numberId);
  }

  async #begin(lease: ClaimedLease, claimedAtMs: number): Promise<void> {
    const { numberId, fence } = lease;
    const holding = { numberId, workerId: this.workerId, fence };
    try {
      await beginNumber(this.#o, {
        workerId: this.workerId,
        starts: this.#starts,
        intervalGuard: this.#intervalGuard,
        servicePause: this.#servicePause,
        leased: this.#leased,
        lease,
        claimedAtMs,
        isDraining: () => this.#heartbeat.draining || this.#diskStop.isFull,
      });
    } catch (error) {
      this.#o.log.error({ err: error, numberId }, 'a number could not be started');
      if (this.#leased.has(numberId)) await this.#leased.abandon(numberId);
      else await this.#notStarted(holding).catch(() => {});
    } finally {
      this.#leased.forgetClaim(numberId);
      this.#starting.delete(numberId);
    }
  }

  /** The next claim tries again. */
  async #notStarted(holding: Holding): Promise<void> {
    const { database } = this.#o;
    const isUnwanted = this.#heartbeat.draining || this.#diskStop.isFull;
    if (!isUnwanted) await showWaiting(database, holding, { code: 'profile_unusable' });
    await releaseLease(database, holding, { notify: false });
  }

  #onDrain(drain: boolean): void {
    if (this.#leaving) return;
    this.#o.log.info({ drain }, drain ? 'the worker drains' : 'the worker accepts numbers again');
    if (drain) void this.#handOvers.handAllOver(performance.now() + DRAIN_WITHIN_MS).catch(() => {});
  }
}

import os from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { PgBoss } from 'pg-boss';
import { accessMessage } from '#server/core/access.ts';
import type { Engine } from '#server/core/engine.ts';
import { newId } from '#server/core/id.ts';
import { ACK_TIMEOUT_MS } from '#server/core/pacing.ts';
import type { Database } from '#server/db/client.ts';
import type { Log } from '#server/log.ts';
import { metrics } from '#server/metrics/metrics.ts';
import { onChange } from '#server/queue/changes.ts';
import { sendIntervalMs } from '#server/services/caller.ts';
import { oldestWorkingPlan } from '#server/services/oldest-working-plan.ts';
import { settings } from '#server/settings.ts';
import { findOverlooked, sweepDispatches, sweepWaiting } from '#server/store/dispatch.ts';
import {
  claimLeases,
  type Holding,
  holds,
  leaseMs,
  RENEW_EVERY_MS,
  releaseLease,
  renewLeases,
} from '#server/store/leases.ts';
import { beginMove, MOVE_MS, markStranded, stillMoving } from '#server/store/moves.ts';
import { removeProcess } from '#server/store/processes.ts';
import type { SessionRow } from '#server/store/sessions.ts';
import { type Fleet, readFleet, writeWorker } from '#server/store/workers.ts';
import { version } from '#server/version.ts';
import { layDown, takeUp } from '../profiles/take-up.ts';
import { RESTART_PAUSE_MS_MAX } from './back-off.ts';
import type { MediaStage } from './media-stage.ts';
import { NumberWorker } from './number-worker.ts';
import { Pauses } from './pauses.ts';
import { StartGate } from './start-gate.ts';

export interface SupervisorOptions {
  database: Database;
  boss: PgBoss;
  engine: Engine;
  log: Log;
  media: MediaStage;
  profileDir(numberId: string): string;
  /** Of the volume that the profiles lie on. */
  volumeId: string;
  /** Of this process and its browsers; null when it is not known. */
  memoryBytes?(): Promise<number | null>;
  networkArgs(network: SessionRow['network']): readonly string[];
  /** Clears what a killed worker left of a profile; called under the lease, before the first start. */
  prepareProfile(profileDir: string): Promise<void>;
  numbersMax?: number;
}

const STARTS_AT_ONCE = 2;
/** A session ends when this part of its lease went by unrenewed: its browser is gone before the lease is. */
const GIVE_UP_PART = 0.6;
const SWEEP_EVERY_MS = 1000;
const SPOOL_SWEEP_EVERY_MS = 5 * 60_000;
/** What is being dispatched gets this long for its outcome when everything stops at once. */
const STOP_GRACE_MS = 8000;
/** The same for a number that is handed over, while everything else goes on: longer than an acknowledgement may take. */
const MOVE_GRACE_MS = 32_000;
const DRAIN_WITHIN_MS = 60_000;
/** A drain that has less time than this stops everything at once. */
const STAGED_DRAIN_MS_MIN = 20_000;
/** Of the time for a drain, what is left for sessions that did not get their turn. */
const LAST_STOP_MS = 20_000;
/** So many numbers are on their way to other workers at a time; more where a drain would take too long else. */
const MOVES_AT_ONCE = 4;
const MOVE_ROUNDS = 12;
const MOVE_POLL_MS = 200;
const MEMORY_EVERY_MS = 30_000;
/** A browser that is ended because its lease runs out is gone this long before the lease is. */
const KILL_BEFORE_MS = 2000;
const ASK_AGAIN_MS = 250;

type Claimed = Awaited<ReturnType<typeof claimLeases>>[number];

interface Held {
  fence: number;
  worker: NumberWorker;
  leaseMs: number;
  /** When the last successful renewal was asked for, on the monotonic clock. */
  renewedAtMs: number;
}

/**
 * Runs the sessions of one worker process: claims its share of the leases, renews them, ends what it may not
 * keep, and hands numbers over to other workers when it drains or has more than its share.
 */
export class Supervisor {
  readonly workerId = newId('worker');
  readonly #o: SupervisorOptions;
  readonly #gate = new StartGate(STARTS_AT_ONCE);
  readonly #pauses = new Pauses();
  readonly #held = new Map<string, Held>();
  readonly #ending = new Map<string, Promise<void>>();
  /** Claimed, and on the way to being held. */
  readonly #starting = new Map<string, Promise<void>>();
  /** On the way to another worker. */
  readonly #moving = new Map<string, Promise<void>>();
  readonly #timers: NodeJS.Timeout[] = [];
  #stopListening: () => void = () => {};
  #ticking: Promise<void> | null = null;
  #tickAgain = false;
  /** An administrator wants it drained. */
  #drainWished = false;
  /** It was asked to stop. */
  #leaving = false;
  /** Sessions end now; nobody waits for other workers any more. */
  #stopping = false;
  #memoryBytes: number | null = null;

  constructor(options: SupervisorOptions) {
    this.#o = options;
  }

  async start(): Promise<void> {
    this.#stopListening = await onChange((change) => this.#onChange(change));
    this.#every(RENEW_EVERY_MS, () => this.#tick({ balance: true }));
    this.#every(SWEEP_EVERY_MS, () => this.#sweep());
    this.#every(SPOOL_SWEEP_EVERY_MS, () => this.#o.media.sweep());
    this.#every(MEMORY_EVERY_MS, () => this.#measure());
    this.#every(1000, async () => this.#giveUpSilent());
    await this.#measure();
    await this.#tick({ balance: true });
  }

  /**
   * Ends every session cleanly, keeps the links and gives the leases back, within `withinMs`. Where another
   * worker takes numbers up they are handed over a few at a time, so that none is away for long.
   */
  async stop(withinMs = STOP_GRACE_MS): Promise<void> {
    const until = performance.now() + withinMs;
    this.#leaving = true;
    const fleet = await this.#signAndLook().catch(() => null);
    await Promise.all(this.#starting.values());
    const elsewhere = fleet !== null && fleet.fewestElsewhere !== null;
    if (elsewhere && withinMs >= STAGED_DRAIN_MS_MIN) await this.#handAllOver(until - LAST_STOP_MS);
    this.#stopping = true;
    this.#stopListening();
    this.#o.media.stop();
    const graceMs = Math.min(STOP_GRACE_MS, Math.max(0, until - performance.now()));
    await Promise.all([
      ...[...this.#held.keys()].map((numberId) => this.#release(numberId, (w) => w.stop(graceMs), elsewhere)),
      ...this.#ending.values(),
    ]);
    for (const timer of this.#timers) clearInterval(timer);
    await this.#ticking?.catch(() => {});
    await removeProcess(this.#o.database, { id: this.workerId }).catch(() => {});
  }

  /** The profile directory of each number that is held. */
  heldProfiles(): Map<string, string> {
    return new Map([...this.#held.keys()].map((numberId) => [numberId, this.#o.profileDir(numberId)]));
  }

  #every(ms: number, task: () => Promise<unknown>): void {
    const run = () =>
      task().catch((error: unknown) => this.#o.log.warn({ err: error }, 'the supervisor missed a beat'));
    this.#timers.push(setInterval(run, ms));
  }

  #onChange(change: Parameters<Parameters<typeof onChange>[0]>[0]): void {
    if (change.kind === 'message') {
      if (this.#held.has(change.numberId)) metrics().messages.inc({ status: change.status });
      if (change.status === 'queued') this.#held.get(change.numberId)?.worker.messageCame(change.awaitsMedia);
      return;
    }
    if (change.kind === 'account') return;
    if (change.kind === 'resync') {
      for (const held of this.#held.values()) held.worker.intentChanged();
    } else {
      const held = this.#held.get(change.numberId);
      if (held) {
        held.worker.intentChanged();
        return;
      }
    }
    void this.#tick().catch(() => {});
  }

  /** Renews, then claims; asked for again while under way, it runs once more. */
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
    for (const [numberId, held] of this.#held) {
      // Silent for too long it has refused to write and to dispatch: only a new fence makes clear what that left.
      if (renewed.get(numberId) === held.fence && !isSilent(held)) held.renewedAtMs = askedAtMs;
      else void this.#abandon(numberId);
    }
    if (this.#stopping) return;
    await this.#releaseStray(renewed);
    const fleet = await this.#signAndLook();
    if (this.#draining) return;
    if (balance) await markStranded(database.db);
    const most = numbersMax - this.#held.size - this.#starting.size;
    if (this.#stopping || most <= 0) return;
    const claimedAtMs = performance.now();
    const share = Math.ceil(fleet.numbers / Math.max(1, fleet.workers));
    const free = fleet.fewestElsewhere === null ? most : Math.max(0, share - fleet.own);
    const claimed = await claimLeases(database, { workerId: this.workerId, volumeId, most, free });
    // Not awaited: a number that is slow to begin must not keep the others' leases from being renewed.
    for (const lease of claimed) this.#starting.set(lease.numberId, this.#begin(lease, claimedAtMs));
    if (balance) this.#shareOut(fleet);
  }

  /** It takes up nothing and hands over what it has. */
  get #draining(): boolean {
    return this.#drainWished || this.#leaving;
  }

  /** Gives the sign of life, carries out an administrator's wish, and looks how the numbers lie. */
  async #signAndLook(): Promise<Fleet> {
    const { database, volumeId } = this.#o;
    const { drain } = await writeWorker(database, {
      id: this.workerId,
      host: os.hostname(),
      pid: process.pid,
      version,
      volumeId,
      memoryBytes: this.#memoryBytes,
      draining: this.#draining,
    });
    if (drain !== this.#drainWished) this.#drainOrResume(drain);
    return readFleet(database, { workerId: this.workerId });
  }

  async #measure(): Promise<void> {
    this.#memoryBytes = (await this.#o.memoryBytes?.()) ?? null;
  }

  /** Leases that are ours and that nobody here holds: the answer to a claim, or to a release, was lost. */
  async #releaseStray(renewed: ReadonlyMap<string, number>): Promise<void> {
    for (const [numberId, fence] of renewed) {
      if (this.#held.has(numberId) || this.#ending.has(numberId) || this.#starting.has(numberId)) continue;
      const holding = { numberId, workerId: this.workerId, fence };
      await releaseLease(this.#o.database, holding, { tell: false });
    }
  }

  async #sweep(): Promise<void> {
    const { database, media } = this.#o;
    await sweepWaiting(database, {
      oldestWorkingPlan: oldestWorkingPlan(),
      planEnded: accessMessage('expired'),
    });
    await sweepDispatches(database);
    const fetching = media.fetching();
    for (const numberId of await findOverlooked(database, { workerId: this.workerId, fetching }))
      this.#held.get(numberId)?.worker.lookForWork();
  }

  async #begin(lease: Claimed, claimedAtMs: number): Promise<void> {
    const { numberId, fence } = lease;
    const holding = { numberId, workerId: this.workerId, fence };
    try {
      await this.#run(lease, claimedAtMs);
    } catch (error) {
      this.#o.log.error({ err: error, numberId }, 'a number could not be taken up');
      if (this.#held.has(numberId)) await this.#abandon(numberId);
      else await releaseLease(this.#o.database, holding, { tell: false }).catch(() => {});
    } finally {
      this.#starting.delete(numberId);
    }
  }

  async #run(lease: Claimed, claimedAtMs: number): Promise<void> {
    const { database, boss, engine, log, media, volumeId } = this.#o;
    const { numberId, fence } = lease;
    const holding = { numberId, workerId: this.workerId, fence };
    const profileDir = this.#o.profileDir(numberId);
    // A lease can run out and be claimed anew by the very worker that still runs its session, after a pause of
    // the process or a jump of the database's clock between renewing and claiming.
    await this.#abandon(numberId);
    if (this.#draining) throw new Error('the worker is drained');
    await this.#o.prepareProfile(profileDir);
    const profile = { database, holding, profileDir, volumeId };
    const source = await takeUp(profile);
    if (source !== 'here') log.info({ numberId, source }, 'profile taken up');
    if (this.#draining) {
      await layDown(profile, { linked: true, log });
      throw new Error('the worker is drained');
    }
    const worker = new NumberWorker({
      database,
      boss,
      engine,
      log,
      gate: this.#gate,
      pauses: this.#pauses,
      media,
      holding,
      profileDir,
      stale: source === 'stale',
      networkArgs: (network) => this.#o.networkArgs(network),
      intervalMs: sendIntervalMs,
      ackTimeoutMs: (row) =>
        (row.network === 'sandbox' ? settings.sandboxAckTimeoutMs : undefined) ?? ACK_TIMEOUT_MS,
      restartPauseMsMax: (row) =>
        (row.network === 'sandbox' ? settings.sandboxRestartPauseMsMax : undefined) ?? RESTART_PAUSE_MS_MAX,
      isHeld: () => this.#isHeld(numberId, fence),
      mayDispatch: () => this.#mayDispatch(holding),
      onIdle: () => void this.#release(numberId, (w) => w.stop(STOP_GRACE_MS)),
    });
    this.#held.set(numberId, { fence, worker, leaseMs: leaseMs(lease.network), renewedAtMs: claimedAtMs });
    await worker.start();
  }

  #drainOrResume(drain: boolean): void {
    this.#drainWished = drain;
    if (this.#leaving) return;
    this.#o.log.info({ drain }, drain ? 'the worker is drained' : 'the worker takes numbers up again');
    if (drain) void this.#handAllOver(performance.now() + DRAIN_WITHIN_MS).catch(() => {});
  }

  /** Hands every number over, a few at a time; gives up at `until`, or when it is not wanted any more. */
  async #handAllOver(until: number): Promise<void> {
    const { database } = this.#o;
    const atOnce = Math.max(MOVES_AT_ONCE, Math.ceil(this.#held.size / MOVE_ROUNDS));
    while (this.#draining && !this.#stopping && performance.now() < until) {
      // The last other worker may stop as well.
      if ((await readFleet(database, { workerId: this.workerId })).fewestElsewhere === null) return;
      const next = [...this.#held.keys()].find((numberId) => !this.#moving.has(numberId));
      if (next !== undefined && this.#moving.size < atOnce) this.#move(next);
      else if (this.#moving.size > 0) await Promise.race([...this.#moving.values(), delay(MOVE_POLL_MS)]);
      else return;
    }
  }

  /** Hands over what is more than this worker's share, where another has less than its own. */
  #shareOut({ numbers, own, workers, fewestElsewhere }: Fleet): void {
    const share = numbers / Math.max(1, workers);
    if (fewestElsewhere === null || fewestElsewhere >= Math.floor(share)) return;
    let excess = Math.min(own - Math.ceil(share), MOVES_AT_ONCE) - this.#moving.size;
    for (const [numberId, { worker }] of this.#held) {
      if (excess <= 0) return;
      if (!worker.movable || this.#moving.has(numberId)) continue;
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
    const held = this.#held.get(numberId);
    if (!held) return;
    // Held and renewed until nothing is on its way any more.
    await held.worker.quiesce(MOVE_GRACE_MS);
    if (this.#held.get(numberId) !== held) return;
    await this.#release(numberId, (w) => w.stop(0), true);
    const until = performance.now() + MOVE_MS;
    while (performance.now() < until && !this.#stopping) {
      if ((await stillMoving(this.#o.database, { numberIds: [numberId] })).length === 0) return;
      await delay(MOVE_POLL_MS);
    }
  }

  /** Asked again while the database is away: a message is at the gate, and not to be lost over a moment. */
  async #mayDispatch(holding: Holding): Promise<boolean> {
    while (this.#isHeld(holding.numberId, holding.fence)) {
      try {
        return await holds(this.#o.database, holding);
      } catch {
        await delay(ASK_AGAIN_MS);
      }
    }
    return false;
  }

  #isHeld(numberId: string, fence: number): boolean {
    const held = this.#held.get(numberId);
    return held?.fence === fence && !isSilent(held);
  }

  /** A lease that could not be renewed for too long ends its session, by the monotonic clock. */
  #giveUpSilent(): void {
    for (const [numberId, held] of this.#held) if (isSilent(held)) void this.#abandon(numberId);
  }

  /** Ends a session whose lease cannot be kept, before another worker can have it. */
  #abandon(numberId: string): Promise<void> {
    const held = this.#held.get(numberId);
    const leftMs = held ? held.renewedAtMs + held.leaseMs - performance.now() : 0;
    return this.#release(numberId, (w) => w.abandon(Math.max(0, leftMs - KILL_BEFORE_MS)), false, false);
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
      // A new wish may have come while the old one was carried out.
      if (!this.#stopping) void this.#tick().catch(() => {});
    });
    this.#ending.set(numberId, ended);
    return ended;
  }

  async #end(
    numberId: string,
    { fence, worker }: Held,
    { end, moving, clean }: { end: (worker: NumberWorker) => Promise<void>; moving: boolean; clean: boolean },
  ): Promise<void> {
    const { database, log, volumeId } = this.#o;
    const holding = { numberId, workerId: this.workerId, fence };
    const profileDir = this.#o.profileDir(numberId);
    try {
      if (moving && worker.movable) await beginMove(database, holding);
      await end(worker);
      const { linked } = worker;
      if (clean) await layDown({ database, holding, profileDir, volumeId }, { linked, log });
    } catch (error) {
      log.error({ err: error, numberId }, 'a session did not end cleanly');
    }
    await releaseLease(database, holding, { tell: clean }).catch((error: unknown) =>
      log.warn({ err: error, numberId }, 'a lease could not be given back'),
    );
  }
}

function isSilent({ renewedAtMs, leaseMs: lastsMs }: Held): boolean {
  return performance.now() - renewedAtMs >= lastsMs * GIVE_UP_PART;
}

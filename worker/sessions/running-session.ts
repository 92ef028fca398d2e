import type { Engine, EngineSession, KeptBuild } from '#server/core/engine.ts';
import type { Holding } from '#server/core/lease.ts';
import { takeOverUnknown } from '#server/messages/queries/sweeps.ts';
import { paceOf } from '#server/numbers/pace.ts';
import { findSession, forgetLink, type SessionRow } from '#server/numbers/queries/sessions.ts';
import type { Database } from '#server/platform/db/client.ts';
import type { Log } from '#server/platform/log.ts';
import type { Limiter } from '../profiles/limiter.ts';
import { Dispatcher } from './dispatcher.ts';
import type { IntervalGuard } from './interval-guard.ts';
import type { MediaDownloads } from './media-downloads.ts';
import type { PageBuild } from './page-build.ts';
import { REASONS, startReason } from './reasons.ts';
import { resolveUnknown } from './resolve-unknown.ts';
import type { ServicePause } from './service-pause.ts';
import type { SessionOwner } from './session-owner.ts';
import { countRestart, SessionRestart } from './session-restart.ts';
import { SessionWatch } from './session-watch.ts';

export interface RunningSessionOptions {
  database: Database;
  engine: Engine;
  log: Log;
  starts: Limiter;
  intervalGuard: IntervalGuard;
  servicePause: ServicePause;
  media: MediaDownloads;
  holding: Holding;
  profileDir: string;
  /** Browser arguments for the number's network. */
  networkArgs(network: SessionRow['network']): readonly string[];
  ackTimeoutMs(row: SessionRow): number;
  restartPauseMsMax(row: SessionRow): number;
  /** May this worker act for the number, by its monotonic clock? */
  holdsLease(): boolean;
  /** Does the lease hold on the database? The last check before a dispatch, unless the claim has just checked it. */
  leaseAllowsDispatch(): Promise<boolean>;
  builds: PageBuild;
}

/**
 * A claim proves the lease with a margin (`DISPATCH_MARGIN_MS`). So soon after its request, the gate needs no other
 * proof: this and the time from the gate to the stanza (`FRESH_MS` of the outbox) are shorter than the margin.
 */
const CLAIM_COUNTS_MS = 250;
/** How many outcomes are kept until there is a dispatcher. */
const EARLY_MAX = 1000;

/** Opens a number's session, watches it, restarts it when it is lost, and runs the dispatcher while it is connected. */
export class RunningSession {
  readonly #o: RunningSessionOptions;
  readonly #owner: SessionOwner;
  readonly #restart: SessionRestart;
  readonly #watch: SessionWatch;
  #session: EngineSession | null = null;
  #dispatcher: Dispatcher | null = null;
  /** Counts sessions, so that late events of an old session are ignored. */
  #generation = 0;
  #abandoned = false;
  #waiting = false;
  /** Outcomes that came while there was no dispatcher. */
  #early: ((dispatcher: Dispatcher) => Promise<void>)[] = [];

  constructor(options: RunningSessionOptions, owner: SessionOwner) {
    this.#o = options;
    this.#owner = owner;
    this.#restart = new SessionRestart({
      servicePause: options.servicePause,
      row: () => owner.row(),
      mostMs: options.restartPauseMsMax,
      onRestart: () => owner.post(() => owner.onRestart()),
    });
    this.#watch = new SessionWatch({
      probe: () => this.#session?.probe() ?? Promise.resolve(true),
      isBusy: () => this.#dispatcher?.sendsFile ?? false,
      onDead: (reason) => owner.post(() => this.lost(reason)),
    });
  }

  /** The engine's session, while one is open. */
  get session(): EngineSession | null {
    return this.#session;
  }

  /** The session is connected and sends messages. */
  get dispatching(): boolean {
    return this.#dispatcher !== null && !this.#waiting;
  }

  /** The session was lost and restarts after a delay. */
  get restartsLater(): boolean {
    return this.#restart.pending;
  }

  /**
   * Opens a session on a kept build, or on the site's build if null. Resolves when the start has succeeded or
   * failed. Events of the session may come earlier.
   */
  open(build: KeptBuild | null): Promise<void> {
    const { engine, starts, holding, profileDir, builds } = this.#o;
    const owner = this.#owner;
    const row = owner.row();
    if (!row || owner.isStopping()) return Promise.resolve();
    this.#generation += 1;
    const generation = this.#generation;
    const current = () => generation === this.#generation && !owner.isStopping();
    const post = (task: () => Promise<void>) => owner.post(task, current);
    const session = engine.open(
      {
        numberId: holding.numberId,
        profileDir,
        networkArgs: this.#o.networkArgs(row.network),
        build,
        // Also allowed while stopping, for the current dispatch.
        mayDispatch: async (waMessageId) => {
          const claimedMsAgo = (await this.#dispatcher?.claimedMsAgo(waMessageId)) ?? null;
          if (claimedMsAgo === null || generation !== this.#generation || this.#abandoned) return false;
          return this.#o.holdsLease() && (claimedMsAgo < CLAIM_COUNTS_MS || this.#o.leaseAllowsDispatch());
        },
      },
      {
        state: (state) => post(() => owner.onState(state)),
        qr: (qr, expiresAt) => post(() => owner.onQr(qr, expiresAt)),
        pairingCode: (pairingCode) => post(() => owner.onPairingCode(pairingCode)),
        build: (page) => (current() ? builds.seen(page) : 'stay'),
        selfTest: ({ version, failed }) => {
          if (failed === null) post(() => builds.passed(version));
        },
        healthChanged: () => owner.onLimits(),
        receivedFrom: (digits) => owner.onReceivedFrom(digits),
        ack: (waMessageId, ack, code = null) => this.#onAck(waMessageId, ack, code),
        notSent: (waMessageId, failure) =>
          this.#onOutcome((dispatcher) => dispatcher.notSent(waMessageId, failure)),
      },
    );
    this.#session = session;
    this.#waiting = false;
    owner.onOpen();
    this.#restart.opened();
    const started = starts.run(async () => (current() ? session.start() : undefined));
    return started.catch((error: unknown) => {
      this.#o.log.warn({ err: error }, 'the session did not start');
      post(() => this.lost('start_failed', { words: startReason(error) }));
    });
  }

  async close(): Promise<void> {
    this.#owner.onClose();
    this.#restart.cancel();
    this.#watch.stop();
    this.#generation += 1;
    const ended = this.#endSession();
    await this.#dispatcher?.stop();
    this.#dispatcher = null;
    await ended;
    this.#session = null;
  }

  /**
   * The session ended unexpectedly: restarts it after a delay. Writes the status while the browser ends. The
   * browser's end starts first, because a call into a hanging page returns only then.
   */
  async lost(
    reason: string,
    given: { words?: string | undefined; pauseMs?: number | undefined; atOnce?: boolean } = {},
  ): Promise<void> {
    const { pauseMs = 0 } = given;
    const { leaving } = this.#o.builds;
    const words = leaving ?? given.words ?? REASONS.lost;
    this.#o.log.warn({ reason }, 'session lost');
    const ended = this.#endSession();
    const row = await findSession(this.#o.database, this.#o.holding);
    // The codes of a browser that has ended link no phone.
    if (row?.intent === 'link') await forgetLink(this.#o.database, this.#o.holding);
    if (row?.intent === 'run') await this.#owner.setStatus('RECONNECTING', words);
    else if (row && row.intent !== 'idle' && words !== REASONS.lost)
      await this.#owner.setStatus('LINKING', words);
    await ended;
    await this.close();
    // Counted only now: the writes above are retried together.
    countRestart(reason);
    this.#o.builds.lost();
    if (!row || row.intent === 'idle') return this.#owner.onUnwanted();
    // Another build may work at once, so it starts without back-off.
    this.#restart.schedule({ pauseMs, atOnce: leaving !== null || given.atOnce === true });
  }

  /** A task failed permanently. Starts a new session, which may not need the task. */
  async startOver(): Promise<void> {
    await this.close();
    this.#restart.schedule();
  }

  /** The lease cannot be kept: nothing more is sent, and the browser is killed after `withinMs`. */
  abandon(withinMs: number): Promise<void> | undefined {
    this.#abandoned = true;
    return this.#endSession({ withinMs });
  }

  /** Dispatches nothing more. Resolves when the current dispatch has its outcome, after `graceMs` at the latest. */
  async stopDispatching(graceMs: number): Promise<void> {
    const dispatcher = this.#dispatcher;
    const deadline = setTimeout(() => {
      this.#session?.endSending();
      dispatcher?.sessionLost();
    }, graceMs);
    await dispatcher?.stop();
    clearTimeout(deadline);
  }

  /** The session is ready and its phone is admitted: watches the session and dispatches messages. */
  async connected(): Promise<void> {
    this.#restart.connected();
    this.#waiting = false;
    this.#watch.start();
    if (this.#dispatcher) this.#dispatcher.resume();
    else await this.#dispatch();
  }

  /**
   * The page is disconnected and reconnects without a restart: nothing is dispatched until {@link connected}, and the
   * current dispatch stays open. The engine ends a page that does not reconnect.
   */
  waiting(): void {
    this.#waiting = true;
    this.#watch.stop();
    this.#dispatcher?.pause();
  }

  /** Checks the queue. */
  wake(): void {
    this.#dispatcher?.wake();
  }

  /** Checks the queue, and downloads pending files. */
  lookForWork(): void {
    const { media, holding, log } = this.#o;
    this.wake();
    media
      .fetchPending(holding, { ready: () => this.wake(), isOver: () => this.#owner.isStopping() })
      .catch((error: unknown) => log.warn({ err: error }, 'pending files could not be listed'));
  }

  /** In this order, because an ending session reports what was definitely not sent. */
  #endSession(options: { withinMs?: number } = {}): Promise<void> | undefined {
    const ended = this.#session?.stop(options);
    this.#dispatcher?.sessionLost();
    return ended;
  }

  #onAck(waMessageId: string, ack: number, code: number | null): void {
    if (ack >= 1) this.#o.builds.acknowledged(waMessageId);
    this.#onOutcome((dispatcher) => dispatcher.ack(waMessageId, ack, code));
  }

  #onOutcome(record: (dispatcher: Dispatcher) => Promise<void>): void {
    if (this.#dispatcher) void record(this.#dispatcher).catch(() => {});
    else if (this.#early.length < EARLY_MAX) this.#early.push(record);
  }

  async #dispatch(): Promise<void> {
    const { database, holding, log, media } = this.#o;
    const session = this.#session;
    const row = this.#owner.row();
    if (!session || !row) return;
    const dispatcher = new Dispatcher({
      database,
      log,
      holding,
      session,
      pace: () => paceOf(this.#owner.row() ?? row),
      ackTimeoutMs: this.#o.ackTimeoutMs(row),
      intervalGuard: this.#o.intervalGuard,
      pageBuild: () => this.#o.builds.version,
      mediaFile: (messageId) => media.file(messageId),
      holdsLease: () => this.#o.holdsLease(),
      onRefused: (recipient, code) => this.#owner.onRefused(recipient, code),
      onSilence: () => this.#awaitRecovery(),
    });
    const unknown = await takeOverUnknown(database, holding);
    this.#dispatcher = dispatcher;
    for (const early of this.#early.splice(0)) this.#onOutcome(early);
    if (unknown.length > 0) {
      const generation = this.#generation;
      const isOver = () => generation !== this.#generation;
      void resolveUnknown({ session, dispatcher, isOver, log }, { messages: unknown });
    }
    dispatcher.start();
    this.lookForWork();
  }

  /** No acknowledgement came: the number counts as disconnected until the session answers a probe. */
  async #awaitRecovery(): Promise<void> {
    if (this.#waiting) return; // the number already shows as disconnected
    await this.#owner.setStatus('RECONNECTING', REASONS.silence);
    const generation = this.#generation;
    if (!(await this.#watch.recovered()) || generation !== this.#generation) return;
    await this.#owner.setStatus('CONNECTED', null);
  }
}

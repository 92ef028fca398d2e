import type { Engine, EngineSession, KeptBuild } from '#server/core/engine.ts';
import type { Cause } from '#server/core/number/cause.ts';
import { findSession, forgetLink, type SessionRow } from '#server/numbers/queries/sessions.ts';
import { metrics } from '#server/platform/metrics/metrics.ts';
import type { Limiter } from '../profiles/limiter.ts';
import type { ServicePause } from './service-pause.ts';
import { SessionDispatch, type SessionDispatchOptions } from './session-dispatch.ts';
import type { SessionOwner } from './session-owner.ts';
import { SessionRestart } from './session-restart.ts';
import { SessionWatch } from './session-watch.ts';
import { startCause } from './start-cause.ts';

export interface RunningSessionOptions extends SessionDispatchOptions {
  engine: Engine;
  starts: Limiter;
  servicePause: ServicePause;
  profileDir: string;
  /** Browser arguments for the number's network. */
  networkArgs(network: SessionRow['network']): readonly string[];
  restartPauseMsMax(row: SessionRow): number;
  /** Does the lease hold on the database? The last check before a dispatch, unless the claim has just checked it. */
  leaseAllowsDispatch(): Promise<boolean>;
}

/**
 * A claim proves the lease with a margin (`DISPATCH_MARGIN_MS`). So soon after its request, the gate needs no other
 * proof: this and the time from the gate to the stanza (`FRESH_MS` of the outbox) are shorter than the margin.
 */
const CLAIM_COUNTS_MS = 250;

/** Opens a number's session, watches it, and restarts it when it is lost. */
export class RunningSession {
  readonly #o: RunningSessionOptions;
  readonly #owner: SessionOwner;
  readonly #restart: SessionRestart;
  readonly #watch: SessionWatch;
  readonly #dispatch: SessionDispatch;
  #session: EngineSession | null = null;
  /** Counts sessions, so that late events of an old session are ignored. */
  #generation = 0;
  #abandoned = false;

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
      isBusy: () => this.#dispatch.sendsFile,
      onDead: (reason) => owner.post(() => this.lost(reason)),
    });
    this.#dispatch = new SessionDispatch(options, owner, {
      recovered: () => this.#watch.recovered(),
      onStuck: ({ hasSent }) =>
        this.lost('not_sending', { cause: { code: 'not_sending' }, neverWorked: !hasSent }),
    });
  }

  /** The engine's session, while one is open. */
  get session(): EngineSession | null {
    return this.#session;
  }

  /** The session is connected and sends messages. */
  get dispatching(): boolean {
    return this.#dispatch.active;
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
          const claimedMsAgo = await this.#dispatch.claimedMsAgo(waMessageId);
          if (claimedMsAgo === null || generation !== this.#generation || this.#abandoned) return false;
          return this.#o.holdsLease() && (claimedMsAgo < CLAIM_COUNTS_MS || this.#o.leaseAllowsDispatch());
        },
      },
      {
        state: (state) => post(() => owner.onState(state)),
        qr: (qr, expiresAt) => post(() => owner.onQr(qr, expiresAt)),
        pairingCode: (pairingCode) => post(() => owner.onPairingCode(pairingCode)),
        build: (page) => (current() ? builds.seen(page) : 'stay'),
        selfTest: (result) => {
          if (result.failed === null) post(() => builds.passed(result));
        },
        healthChanged: () => owner.onLimits(),
        receivedFrom: (digits) => owner.onReceivedFrom(digits),
        ack: (waMessageId, ack, code = null) => this.#dispatch.ack(waMessageId, ack, code),
        notSent: (waMessageId, failure) => this.#dispatch.notSent(waMessageId, failure),
      },
    );
    this.#session = session;
    owner.onOpen();
    this.#restart.opened();
    const started = starts.run(async () => (current() ? session.start() : undefined));
    return started.catch((error: unknown) => {
      this.#o.log.warn({ err: error }, 'the session did not start');
      post(() => this.lost('start_failed', { cause: startCause(error) }));
    });
  }

  async close(): Promise<void> {
    this.#owner.onClose();
    this.#restart.cancel();
    this.#watch.stop();
    this.#generation += 1;
    const ended = this.#endSession();
    await this.#dispatch.end();
    await ended;
    this.#session = null;
  }

  /**
   * The session ended unexpectedly: restarts it after a delay. Writes the status while the browser ends. The
   * browser's end starts first, because a call into a hanging page returns only then.
   */
  async lost(
    reason: string,
    given: {
      detail?: string | undefined;
      cause?: Cause | undefined;
      pauseMs?: number | undefined;
      atOnce?: boolean;
      neverWorked?: boolean;
    } = {},
  ): Promise<void> {
    const { pauseMs = 0, neverWorked = false } = given;
    const { leaving } = this.#o.builds;
    const cause = leaving ?? given.cause ?? null;
    this.#o.log.warn({ reason, detail: given.detail, build: this.#o.builds.version }, 'session lost');
    const ended = this.#endSession();
    const row = await findSession(this.#o.database, this.#o.holding);
    // The codes of a browser that has ended link no phone.
    if (row?.intent === 'link') await forgetLink(this.#o.database, this.#o.holding);
    if (row?.intent === 'run')
      await this.#owner.setStatus('RECONNECTING', cause ?? { code: 'connection_lost' });
    else if (row && row.intent !== 'idle' && cause) await this.#owner.setStatus('LINKING', cause);
    await ended;
    await this.close();
    // Counted only now: the writes above are retried together.
    metrics().sessionRestarts.inc({ reason });
    this.#o.builds.lost();
    if (!row || row.intent === 'idle') return this.#owner.onUnwanted();
    // Another build may work at once, so it starts without back-off.
    this.#restart.schedule({ pauseMs, atOnce: leaving !== null || given.atOnce === true, neverWorked });
  }

  /** The connection ended without a visible reason. True if that happens too often to restart again. */
  endedUnseen(): boolean {
    return this.#restart.endedUnseen();
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
    const deadline = setTimeout(() => {
      this.#session?.endSending();
      this.#dispatch.sessionLost();
    }, graceMs);
    await this.#dispatch.stop();
    clearTimeout(deadline);
  }

  /** The session is ready and its phone is admitted: watches the session and dispatches messages. */
  async connected(): Promise<void> {
    this.#restart.connected();
    this.#watch.start();
    if (this.#session) await this.#dispatch.connected(this.#session);
  }

  /**
   * The page is disconnected and reconnects without a restart: nothing is dispatched until {@link connected}, and the
   * current dispatch stays open. The engine ends a page that does not reconnect.
   */
  waiting(): void {
    this.#watch.stop();
    this.#dispatch.waiting();
  }

  /** Checks the queue. */
  wake(): void {
    this.#dispatch.wake();
  }

  /** Checks the queue, and downloads pending files. */
  lookForWork(): void {
    this.#dispatch.lookForWork();
  }

  /** In this order, because an ending session reports what was definitely not sent. */
  #endSession(options: { withinMs?: number } = {}): Promise<void> | undefined {
    const ended = this.#session?.stop(options);
    this.#dispatch.sessionLost();
    return ended;
  }
}

import type { Engine, EngineSession, KeptBuild } from '#server/core/engine.ts';
import type { Holding } from '#server/core/lease.ts';
import { takeOverOpen } from '#server/messages/queries/sweeps.ts';
import { paceOf } from '#server/numbers/pace.ts';
import { findSession, type SessionRow } from '#server/numbers/queries/sessions.ts';
import type { Database } from '#server/platform/db/client.ts';
import type { Log } from '#server/platform/log.ts';
import { isDiskFull } from '../engine/profile.ts';
import { Dispatcher } from './dispatcher.ts';
import type { MediaStage } from './media-stage.ts';
import type { PageBuild } from './page-build.ts';
import { REASONS } from './reasons.ts';
import type { SendThrottle } from './send-throttle.ts';
import type { ServicePause } from './service-pause.ts';
import type { SessionOwner } from './session-owner.ts';
import { countRestart, SessionRestart } from './session-restart.ts';
import { SessionWatch } from './session-watch.ts';
import { settleOpen } from './settle-open.ts';
import type { StartGate } from './start-gate.ts';

/** What a number's session is run with. */
export interface RunningSessionOptions {
  database: Database;
  engine: Engine;
  log: Log;
  gate: StartGate;
  throttle: SendThrottle;
  servicePause: ServicePause;
  media: MediaStage;
  holding: Holding;
  profileDir: string;
  /** Browser arguments that lead to the number's network. */
  networkArgs(network: SessionRow['network']): readonly string[];
  ackTimeoutMs(row: SessionRow): number;
  restartPauseMsMax(row: SessionRow): number;
  /** May this worker act for the number, by its own monotonic clock? */
  isHeld(): boolean;
  /** Does the lease hold on the database, at the last point before a dispatch? */
  mayDispatch(): Promise<boolean>;
  /** What its sessions run, and what is to be known of that. */
  builds: PageBuild;
}

/** Acknowledgements that can come before there is a dispatcher to take them. */
const EARLY_ACKS_MAX = 1000;

/** A number's session: opened, watched, restarted when it is lost, and dispatched through while it is connected. */
export class RunningSession {
  readonly #o: RunningSessionOptions;
  readonly #owner: SessionOwner;
  readonly #restart: SessionRestart;
  readonly #watch: SessionWatch;
  #session: EngineSession | null = null;
  #dispatcher: Dispatcher | null = null;
  /** Raised with each session, so that a late event of an old one is not taken for the new one's. */
  #generation = 0;
  #abandoned = false;
  #waiting = false;
  #earlyAcks: [waMessageId: string, ack: number, code: number | null][] = [];

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
      onDead: (reason) => owner.post(() => this.lost(reason)),
    });
  }

  /** The engine's session, while one is open. */
  get session(): EngineSession | null {
    return this.#session;
  }

  /** It is connected, and messages leave by it. */
  get dispatching(): boolean {
    return this.#dispatcher !== null && !this.#waiting;
  }

  /** It was lost, and is opened again after its pause. */
  get restartsLater(): boolean {
    return this.#restart.pending;
  }

  /**
   * Opens a session on a kept build, or on what the site serves, without waiting for it: it reports by its
   * events. Resolves when it has started.
   */
  open(build: KeptBuild | null): Promise<void> {
    const { engine, gate, holding, profileDir, builds } = this.#o;
    const owner = this.#owner;
    const row = owner.row();
    if (!row || owner.isStopping()) return Promise.resolve();
    this.#generation += 1;
    const mine = this.#generation;
    const current = () => mine === this.#generation && !owner.isStopping();
    const post = (task: () => Promise<void>) => owner.post(task, current);
    const session = engine.open(
      {
        numberId: holding.numberId,
        profileDir,
        networkArgs: this.#o.networkArgs(row.network),
        build,
        // While it is stopped, what is on its way still leaves.
        mayDispatch: async (waMessageId) =>
          (await this.#dispatcher?.claimed(waMessageId)) === true &&
          mine === this.#generation &&
          !this.#abandoned &&
          this.#o.isHeld() &&
          (await this.#o.mayDispatch()),
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
        notSent: (waMessageId, failure) => {
          void this.#dispatcher?.notSent(waMessageId, failure).catch(() => {});
        },
      },
    );
    this.#session = session;
    this.#waiting = false;
    owner.onOpen();
    this.#restart.opened();
    const started = gate.run(async () => (current() ? session.start() : undefined));
    return started.catch((error: unknown) => {
      this.#o.log.warn({ err: error }, 'the session did not start');
      post(() => this.lost('start_failed', isDiskFull(error) ? { words: REASONS.diskFull } : {}));
    });
  }

  async close(): Promise<void> {
    this.#owner.onClose();
    this.#restart.cancel();
    this.#watch.stop();
    this.#generation += 1;
    this.#dispatcher?.sessionLost();
    await this.#dispatcher?.stop();
    this.#dispatcher = null;
    const session = this.#session;
    this.#session = null;
    await session?.stop();
  }

  /**
   * The session ended unexpectedly: it is started again after a pause. Reported while its browser still ends, because a
   * call into a page that hangs returns only then.
   */
  async lost(
    reason: string,
    given: { words?: string | undefined; pauseMs?: number | undefined; atOnce?: boolean } = {},
  ): Promise<void> {
    const { pauseMs = 0 } = given;
    const leaving = this.#o.builds.lost();
    const words = leaving ?? given.words ?? REASONS.lost;
    this.#o.log.warn({ reason }, 'session lost');
    countRestart(reason);
    this.#dispatcher?.sessionLost();
    const ended = this.#session?.stop();
    const row = await findSession(this.#o.database, this.#o.holding);
    if (row?.intent === 'run') await this.#owner.tell('RECONNECTING', words);
    else if (row && row.intent !== 'idle' && words !== REASONS.lost) await this.#owner.tell('LINKING', words);
    await ended;
    await this.close();
    if (!row || row.intent === 'idle') return this.#owner.onUnwanted();
    // The back-off is for what fails again, and another build may not.
    this.#restart.schedule({ pauseMs, atOnce: leaving !== null || given.atOnce === true });
  }

  /** A step fails for good: a new session may not come to it. */
  async startOver(): Promise<void> {
    await this.close();
    this.#restart.schedule();
  }

  /** The lease cannot be kept: nothing leaves any more, and the browser is killed after `withinMs`. */
  abandon(withinMs: number): Promise<void> | undefined {
    this.#abandoned = true;
    this.#dispatcher?.sessionLost();
    return this.#session?.stop({ withinMs });
  }

  /** Dispatches nothing more; resolves when what is on its way has its outcome, at the latest after `graceMs`. */
  async stopDispatching(graceMs: number): Promise<void> {
    const dispatcher = this.#dispatcher;
    const deadline = setTimeout(() => dispatcher?.sessionLost(), graceMs);
    await dispatcher?.stop();
    clearTimeout(deadline);
  }

  /** It is ready, with a phone that the number may have: watches it and dispatches through it. */
  async connected(): Promise<void> {
    this.#restart.connected();
    this.#waiting = false;
    this.#watch.start();
    if (this.#dispatcher) this.#dispatcher.resume();
    else await this.#dispatch();
  }

  /**
   * The page is not connected right now and comes back without a restart: nothing is dispatched until
   * {@link connected}, and what was handed over stays open. The engine itself ends a page that does not come back.
   */
  waiting(): void {
    this.#waiting = true;
    this.#watch.stop();
    this.#dispatcher?.pause();
  }

  /** Looks whether something is to be dispatched. */
  wake(): void {
    this.#dispatcher?.wake();
  }

  /** Looks at the queue, and fetches what is still to be fetched. */
  lookForWork(): void {
    const { media, holding, log } = this.#o;
    this.wake();
    media
      .fetchPending(holding, () => this.wake())
      .catch((error: unknown) => log.warn({ err: error }, 'pending files could not be listed'));
  }

  #onAck(waMessageId: string, ack: number, code: number | null): void {
    if (ack >= 1) this.#o.builds.acknowledged(waMessageId);
    if (this.#dispatcher) void this.#dispatcher.ack(waMessageId, ack, code).catch(() => {});
    else if (this.#earlyAcks.length < EARLY_ACKS_MAX) this.#earlyAcks.push([waMessageId, ack, code]);
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
      throttle: this.#o.throttle,
      pageBuild: () => this.#o.builds.version,
      mediaFile: (messageId) => media.file(messageId),
      isHeld: () => this.#o.isHeld(),
      onRefused: (recipient, code) => this.#owner.onRefused(recipient, code),
      onSilence: () => this.#awaitRecovery(),
    });
    const open = await takeOverOpen(database, holding);
    this.#dispatcher = dispatcher;
    for (const early of this.#earlyAcks.splice(0)) this.#onAck(...early);
    if (open.length > 0) {
      const mine = this.#generation;
      const isOver = () => mine !== this.#generation;
      void settleOpen({ session, dispatcher, isOver, log }, { open });
    }
    dispatcher.start();
    this.lookForWork();
  }

  /** An acknowledgement stayed away: not connected until the session answers a probe again. */
  async #awaitRecovery(): Promise<void> {
    if (this.#waiting) return; // it says so itself, and when it is over
    await this.#owner.tell('RECONNECTING', REASONS.silence);
    const mine = this.#generation;
    if (!(await this.#watch.recovered()) || mine !== this.#generation) return;
    await this.#owner.tell('CONNECTED', null);
  }
}

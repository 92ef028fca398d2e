import { setTimeout as delay } from 'node:timers/promises';
import type { PgBoss } from 'pg-boss';
import type { Engine, EngineSession, EngineState } from '#server/core/engine.ts';
import type { Database } from '#server/db/client.ts';
import type { Log } from '#server/log.ts';
import { metrics } from '#server/metrics/metrics.ts';
import { cancelWaiting } from '#server/store/cancel-waiting.ts';
import { takeOverOpen } from '#server/store/dispatch.ts';
import type { Holding } from '#server/store/leases.ts';
import {
  findSession,
  forgetGroups,
  isLiveElsewhere,
  type SessionRow,
  settleIntent,
  writeGroups,
  writeLink,
  writeLinked,
  writeStatus,
} from '#server/store/sessions.ts';
import { isDiskFull } from '../engine/profile.ts';
import { handleSendJobs } from '../jobs/send.ts';
import { BackOff } from './back-off.ts';
import { Dispatcher } from './dispatcher.ts';
import { Mailbox } from './mailbox.ts';
import type { MediaStage } from './media-stage.ts';
import type { Pauses } from './pauses.ts';
import { REASONS } from './reasons.ts';
import { SessionWatch } from './session-watch.ts';
import { settleOpen } from './settle-open.ts';
import type { StartGate } from './start-gate.ts';

export interface NumberWorkerOptions {
  database: Database;
  boss: PgBoss;
  engine: Engine;
  log: Log;
  gate: StartGate;
  pauses: Pauses;
  media: MediaStage;
  holding: Holding;
  profileDir: string;
  /** What there was of its session is older than its last start, so nothing is gone on with. */
  stale: boolean;
  /** Browser arguments that lead to the number's network. */
  networkArgs(network: SessionRow['network']): readonly string[];
  intervalMs(row: SessionRow): number;
  ackTimeoutMs(row: SessionRow): number;
  restartPauseMsMax(row: SessionRow): number;
  /** May this worker act for the number, by its own monotonic clock? */
  isHeld(): boolean;
  /** Does the lease hold on the database, at the last point before a dispatch? */
  mayDispatch(): Promise<boolean>;
  /** Nothing is left to do for this number: its lease can be given back. */
  onIdle(): void;
}

/** A step that fails, because the database is away, is taken again after this, so often. */
const STEP_AGAIN_MS = 1000;
const STEP_TRIES = 30;
/** Acknowledgements that can come before there is a dispatcher to take them. */
const EARLY_ACKS_MAX = 1000;

/** After `ready`, the page needs a moment before its own list of messages is complete. */
const SETTLE_AFTER_MS = 5000;

/**
 * One number under this worker's lease: brings its session where its owner wants it (the row's intent),
 * tells the row what the session says, and runs its dispatcher while it is connected.
 */
export class NumberWorker {
  readonly #o: NumberWorkerOptions;
  readonly #log: Log;
  /** Everything that changes the session happens here, one after the other. */
  readonly #mail: Mailbox;
  readonly #backOff = new BackOff();
  readonly #watch: SessionWatch;
  #row: SessionRow | null = null;
  #session: EngineSession | null = null;
  /** The code that the page shows. */
  #qr: { code: string; expiresAtMs: number } | null = null;
  #dispatcher: Dispatcher | null = null;
  /** Raised with each session, so that a late word of an old one is not taken for the new one's. */
  #generation = 0;
  #carriedRevision = -1;
  #openedAtMs = 0;
  #linkTimer: NodeJS.Timeout | undefined;
  #moveTimer: NodeJS.Timeout | undefined;
  #restartTimer: NodeJS.Timeout | undefined;
  #stopJobs: (() => Promise<void>) | null = null;
  #stopping = false;
  #abandoned = false;
  #listing = false;
  #earlyAcks: [waMessageId: string, ack: number][] = [];

  constructor(options: NumberWorkerOptions) {
    this.#o = options;
    this.#log = options.log.child({ numberId: options.holding.numberId });
    this.#mail = new Mailbox((error) => this.#log.error({ err: error }, 'a step of the session failed'));
    this.#watch = new SessionWatch({
      probe: () => this.#session?.probe() ?? Promise.resolve(true),
      onDead: (reason) => this.#post(() => this.#lost(reason)),
    });
  }

  /** Begins: works the queue and follows the row's intent. */
  async start(): Promise<void> {
    const { boss, holding, media } = this.#o;
    await media.recover(holding.numberId);
    this.#stopJobs = await handleSendJobs(boss, holding.numberId, () => this.lookForWork());
    this.intentChanged();
    this.#post(() => this.#awaitArrival());
  }

  /** The row may have a new intent. */
  intentChanged(): void {
    this.#post(() => this.#follow());
  }

  /** Its session, where there is one, is to be gone on with. */
  get linked(): boolean {
    return this.#row?.intent !== 'link';
  }

  /** It is connected, and can be handed over without anybody noticing. */
  get movable(): boolean {
    return this.#dispatcher !== null && this.#row?.intent === 'run';
  }

  /**
   * Takes no more work; resolves when what is being dispatched has its outcome, at the latest after `graceMs`.
   * The session stays, and the lease is to be renewed until it is stopped.
   */
  async quiesce(graceMs: number): Promise<void> {
    this.#stopping = true;
    await this.#stopJobs?.();
    this.#o.media.leave(this.#o.holding.numberId);
    const dispatcher = this.#dispatcher;
    const deadline = setTimeout(() => dispatcher?.sessionLost(), graceMs);
    await dispatcher?.stop();
    clearTimeout(deadline);
  }

  /** Ends the session and keeps the link; what is being dispatched gets up to `graceMs` for its outcome. */
  async stop(graceMs: number): Promise<void> {
    await this.quiesce(graceMs);
    clearTimeout(this.#moveTimer);
    // A start that hangs holds up the mailbox until its browser is gone.
    await this.#session?.stop();
    await this.#mail.run(() => this.#close());
  }

  /** The lease cannot be kept: the browser ends now, whatever it is doing, and is killed after `withinMs`. */
  async abandon(withinMs: number): Promise<void> {
    this.#stopping = true;
    this.#abandoned = true;
    clearTimeout(this.#moveTimer);
    this.#o.media.leave(this.#o.holding.numberId);
    this.#dispatcher?.sessionLost();
    await Promise.all([this.#session?.stop({ withinMs }), this.#stopJobs?.().catch(() => {})]);
    await this.#mail.run(() => this.#close());
  }

  /** Takes a step, in its turn. One that fails is taken again: what it had to tell may be told only once. */
  #post(task: () => Promise<void>, isCurrent: () => boolean = () => true): void {
    void this.#mail.run(async () => {
      for (let tries = 1; !this.#stopping && isCurrent(); tries++) {
        try {
          return await task();
        } catch (error) {
          this.#log.warn({ err: error }, 'a step of the session failed');
          if (tries === STEP_TRIES) return this.#startOver();
          await delay(STEP_AGAIN_MS);
        }
      }
    });
  }

  /** A message was accepted. `awaitsMedia`: its file is to be fetched first. */
  messageCame(awaitsMedia: boolean): void {
    if (awaitsMedia) this.lookForWork();
    else this.#dispatcher?.wake();
  }

  /** Looks at the queue, and fetches what is still to be fetched. */
  lookForWork(): void {
    const { media, holding } = this.#o;
    this.#dispatcher?.wake();
    media
      .fetchPending(holding, () => this.#dispatcher?.wake())
      .catch((error: unknown) => this.#log.warn({ err: error }, 'pending files could not be listed'));
  }

  /** Brings the session to what the row's owner wants. */
  async #follow(): Promise<void> {
    const row = await findSession(this.#o.database, this.#o.holding);
    this.#row = row;
    this.#dispatcher?.wake();
    if (!row) return this.#finish();
    if (row.groupsAsked) void this.#listGroups();
    const anew = row.intentRevision !== this.#carriedRevision;
    this.#carriedRevision = row.intentRevision;
    switch (row.intent) {
      case 'link':
        return this.#link(row, anew);
      case 'run':
        if (this.#o.stale) return this.#ended('LOGGED_OUT', REASONS.stale);
        if (!this.#session && this.#restartTimer === undefined) void this.#open();
        return;
      case 'unlink':
        return this.#unlink(row);
      case 'idle':
        return this.#finish();
      default:
        return row.intent satisfies never;
    }
  }

  /** A number that was handed over is shown as connected for a while; then it must be so. */
  async #awaitArrival(): Promise<void> {
    const leftMs = this.#row?.moveLeftMs ?? 0;
    if (leftMs <= 0) return;
    const late = async () => {
      if (!this.#dispatcher && this.#row?.intent === 'run') await this.#tell('RECONNECTING', REASONS.lost);
    };
    this.#moveTimer = setTimeout(() => this.#post(late), leftMs);
  }

  async #link(row: SessionRow, anew: boolean): Promise<void> {
    const leftMs = row.linkLeftMs ?? 0;
    if (leftMs <= 0) return this.#linkingEnded();
    clearTimeout(this.#linkTimer);
    this.#linkTimer = setTimeout(() => this.#post(() => this.#linkingEnded()), leftMs);
    if (!this.#session) void this.#open();
    else if (anew) await this.#showAgain(row);
  }

  /** Linking was opened anew while the page shows its code already: what it shows is told again. */
  async #showAgain(row: SessionRow): Promise<void> {
    if (this.#qr && this.#qr.expiresAtMs > Date.now()) await this.#onQr(this.#qr.code, this.#qr.expiresAtMs);
    if (row.pairingPhone) await this.#requestPairingCode(row.pairingPhone);
  }

  async #linkingEnded(): Promise<void> {
    const row = await findSession(this.#o.database, this.#o.holding);
    if (row?.intent !== 'link') return;
    await this.#close();
    const status = row.phoneNumber ? 'LOGGED_OUT' : 'UNLINKED';
    await this.#tell(status, REASONS.linkingExpired);
    await settleIntent(this.#o.database, this.#o.holding, { intent: 'idle', revision: row.intentRevision });
    this.#o.onIdle();
  }

  async #unlink(row: SessionRow): Promise<void> {
    if (!this.#session) await this.#open();
    await this.#session
      ?.unlink()
      .catch((error: unknown) => this.#log.warn({ err: error }, 'logging out failed'));
    await this.#close();
    await this.#tell('UNLINKED', REASONS.unlinkedHere);
    await settleIntent(this.#o.database, this.#o.holding, { intent: 'idle', revision: row.intentRevision });
    this.#o.onIdle();
  }

  async #finish(): Promise<void> {
    await this.#close();
    this.#o.onIdle();
  }

  /** Opens a session without waiting for it: what it tells comes by its events. Resolves when it has started. */
  #open(): Promise<void> {
    const { engine, gate, holding, profileDir } = this.#o;
    const row = this.#row;
    if (!row || this.#stopping) return Promise.resolve();
    this.#generation += 1;
    const mine = this.#generation;
    const current = () => mine === this.#generation && !this.#stopping;
    const post = (task: () => Promise<void>) => this.#post(task, current);
    const session = engine.open(
      {
        numberId: holding.numberId,
        profileDir,
        networkArgs: this.#o.networkArgs(row.network),
        // While it is stopped, what is on its way still leaves.
        mayDispatch: async (waMessageId) =>
          (await this.#dispatcher?.claimed(waMessageId)) === true &&
          mine === this.#generation &&
          !this.#abandoned &&
          this.#o.isHeld() &&
          (await this.#o.mayDispatch()),
      },
      {
        state: (state) => post(() => this.#onState(state)),
        qr: (qr, expiresAt) => post(() => this.#onQr(qr, expiresAt)),
        pairingCode: (pairingCode) => post(() => this.#onPairingCode(pairingCode)),
        ack: (waMessageId, ack) => this.#onAck(waMessageId, ack),
      },
    );
    this.#session = session;
    this.#qr = null;
    this.#openedAtMs = performance.now();
    const started = gate.run(async () => (current() ? session.start() : undefined));
    return started.catch((error: unknown) => {
      this.#log.warn({ err: error }, 'the session did not start');
      post(() => this.#lost('start_failed', isDiskFull(error) ? REASONS.diskFull : REASONS.lost));
    });
  }

  async #close(): Promise<void> {
    clearTimeout(this.#linkTimer);
    clearTimeout(this.#restartTimer);
    this.#restartTimer = undefined;
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
   * The session ended by itself: it is started again, after a pause. Told while its browser still ends: a call into
   * a page that hangs comes back only with that.
   */
  async #lost(reason: string, words: string = REASONS.lost): Promise<void> {
    this.#log.warn({ reason }, 'session lost');
    metrics().sessionRestarts.inc({ reason: restartReason(reason) });
    this.#dispatcher?.sessionLost();
    const ended = this.#session?.stop();
    const row = await findSession(this.#o.database, this.#o.holding);
    if (row?.intent === 'run') await this.#tell('RECONNECTING', words);
    else if (row && row.intent !== 'idle' && words !== REASONS.lost) await this.#tell('LINKING', words);
    await ended;
    await this.#close();
    if (!row || row.intent === 'idle') return this.#finish();
    this.#openLater();
  }

  /** A step fails for good: a new session may not come to it. */
  async #startOver(): Promise<void> {
    await this.#close();
    this.#openLater();
  }

  #openLater(): void {
    const livedMs = performance.now() - this.#openedAtMs;
    const pauseMs = this.#backOff.next(livedMs, this.#row ? this.#o.restartPauseMsMax(this.#row) : undefined);
    clearTimeout(this.#restartTimer);
    this.#restartTimer = setTimeout(() => {
      this.#restartTimer = undefined;
      this.#post(() => this.#follow());
    }, pauseMs);
  }

  #onAck(waMessageId: string, ack: number): void {
    if (this.#dispatcher) void this.#dispatcher.ack(waMessageId, ack).catch(() => {});
    else if (this.#earlyAcks.length < EARLY_ACKS_MAX) this.#earlyAcks.push([waMessageId, ack]);
  }

  async #onState(state: EngineState): Promise<void> {
    switch (state.state) {
      case 'qr':
        return this.#onUnpaired();
      case 'passkey':
        await this.#tell('LINKING', REASONS.passkey);
        return;
      case 'syncing':
        if (this.#row?.intent !== 'link') return;
        await this.#tell('SYNCING', null);
        return writeLink(this.#o.database, this.#o.holding, {
          qr: null,
          pairingCode: null,
          syncPercent: state.percent,
        });
      case 'ready':
        return this.#onReady(state.phone);
      case 'logged_out':
        return this.#ended('LOGGED_OUT', REASONS.loggedOut);
      case 'conflict':
        return this.#ended('CONFLICT', REASONS.conflict);
      case 'blocked':
        return this.#ended('BLOCKED', state.reason);
      case 'gone':
        return this.#lost(state.reason);
      default:
        return state satisfies never;
    }
  }

  async #onUnpaired(): Promise<void> {
    if (this.#row?.intent === 'run') return this.#ended('LOGGED_OUT', REASONS.loggedOut);
    if (this.#row?.intent !== 'link') return;
    await this.#tell('LINKING', null);
    if (this.#row.pairingPhone) await this.#requestPairingCode(this.#row.pairingPhone);
  }

  async #onQr(qr: string, expiresAtMs: number): Promise<void> {
    this.#qr = { code: qr, expiresAtMs };
    if (this.#row?.intent === 'link') {
      await writeLink(this.#o.database, this.#o.holding, { qr, qrExpiresAtMs: expiresAtMs });
    }
  }

  /** The library makes a new code every few minutes; the old one is good for nothing then. */
  async #onPairingCode(pairingCode: string): Promise<void> {
    if (this.#row?.intent === 'link' && this.#row.pairingPhone) {
      await writeLink(this.#o.database, this.#o.holding, { pairingCode });
    }
  }

  async #requestPairingCode(phone: string): Promise<void> {
    try {
      const pairingCode = await this.#session?.requestPairingCode(phone);
      if (pairingCode) await writeLink(this.#o.database, this.#o.holding, { pairingCode });
    } catch (error) {
      this.#log.warn({ err: error }, 'no pairing code');
      await this.#tell('LINKING', REASONS.noPairingCode);
    }
  }

  async #onReady(phone: string): Promise<void> {
    const { database, holding } = this.#o;
    const row = this.#row;
    if (!row || row.intent === 'unlink' || row.intent === 'idle') return;
    const wanted = row.replacementPhone ?? row.phoneNumber;
    if (wanted && wanted !== phone)
      return this.#refuse(row.replacementPhone ? REASONS.notTheReplacement : REASONS.otherPhone);
    if (await isLiveElsewhere(database, { numberId: holding.numberId, network: row.network, phone })) {
      return this.#refuse(REASONS.phoneInUse);
    }
    const replaced = row.phoneNumber !== null && row.phoneNumber !== phone;
    if (replaced) await this.#forgetOldPhone(row);
    await writeLinked(database, holding, { phone });
    if (!(await this.#tell('CONNECTED', replaced ? REASONS.replaced : null))) return;
    this.#row = await findSession(database, holding);
    clearTimeout(this.#linkTimer);
    this.#watch.start();
    if (!this.#dispatcher) await this.#dispatch();
  }

  /** What was meant to come from the old phone does not come from another, and its groups are its own. */
  async #forgetOldPhone(row: SessionRow): Promise<void> {
    const { database, holding } = this.#o;
    await cancelWaiting(database.db, {
      accountId: row.accountId,
      numberId: holding.numberId,
      errorCode: 'unlinked',
      error: 'The phone of this number was replaced before this message was sent.',
    });
    await forgetGroups(database, holding);
  }

  /** Its owner wants to see the groups; asked for again while they are being listed, that answer serves. */
  async #listGroups(): Promise<void> {
    const { database, holding } = this.#o;
    const session = this.#session;
    if (!session || !this.#dispatcher || this.#listing) return;
    this.#listing = true;
    try {
      const answer = await session.listGroups().then(
        (groups) => ({ groups }),
        (error: unknown) => {
          this.#log.warn({ err: error }, 'the groups could not be listed');
          return { error: REASONS.noGroups };
        },
      );
      await writeGroups(database, holding, answer);
    } catch (error) {
      this.#log.warn({ err: error }, 'the groups could not be told');
    } finally {
      this.#listing = false;
    }
  }

  /** A phone that may not be linked here is logged out again. */
  async #refuse(reason: string): Promise<void> {
    const row = this.#row;
    await this.#session?.unlink().catch(() => {});
    await this.#ended(row?.phoneNumber ? 'LOGGED_OUT' : 'UNLINKED', reason);
  }

  async #dispatch(): Promise<void> {
    const { database, holding, media } = this.#o;
    const session = this.#session;
    const row = this.#row;
    if (!session || !row) return;
    const dispatcher = new Dispatcher({
      database,
      log: this.#log,
      holding,
      session,
      intervalMs: () => this.#o.intervalMs(this.#row ?? row),
      ackTimeoutMs: this.#o.ackTimeoutMs(row),
      pauses: this.#o.pauses,
      mediaFile: (messageId) => media.file(messageId),
      isHeld: () => this.#o.isHeld(),
      onSilence: () => this.#awaitRecovery(),
    });
    const open = await takeOverOpen(database, holding);
    this.#dispatcher = dispatcher;
    for (const [waMessageId, ack] of this.#earlyAcks.splice(0)) this.#onAck(waMessageId, ack);
    if (open.length > 0) {
      void settleOpen({ session, dispatcher, open, afterMs: SETTLE_AFTER_MS, log: this.#log });
    }
    dispatcher.start();
    this.lookForWork();
  }

  /** An acknowledgement stayed away: not connected until the session answers a probe again. */
  async #awaitRecovery(): Promise<void> {
    await this.#tell('RECONNECTING', REASONS.silence);
    const mine = this.#generation;
    if (!(await this.#watch.recovered()) || mine !== this.#generation) return;
    await this.#tell('CONNECTED', null);
  }

  /** A state that only a person can change: the session ends, and those who wait are told. */
  async #ended(status: 'LOGGED_OUT' | 'CONFLICT' | 'BLOCKED' | 'UNLINKED', reason: string): Promise<void> {
    const { database, holding } = this.#o;
    const row = await findSession(database, holding);
    await this.#tell(status, reason);
    await this.#close();
    if (row) {
      await cancelWaiting(database.db, {
        accountId: row.accountId,
        numberId: holding.numberId,
        lane: 'plain',
        errorCode: 'not_connected',
        error: reason,
      });
      await settleIntent(database, holding, { intent: 'idle', revision: row.intentRevision });
    }
    this.#o.onIdle();
  }

  async #tell(status: SessionRow['status'], reason: string | null): Promise<boolean> {
    return writeStatus(this.#o.database, this.#o.holding, { status, reason });
  }
}

/** WhatsApp's own words are not counted one by one. */
function restartReason(reason: string): string {
  return reason.startsWith('WhatsApp Web:') ? 'ended by WhatsApp Web' : reason;
}

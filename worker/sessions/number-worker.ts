// Over 300 lines: each step of a number's session (its intent, its states, its end) happens here, one after the other.
import { PLAN_STOPPED } from '#server/core/access.ts';
import type { EngineState } from '#server/core/engine.ts';
import { logoutCause } from '#server/core/logout-cause.ts';
import { blockedReason, UNLINKED_HERE } from '#server/core/number-words.ts';
import type { BuildSetting } from '#server/core/page-build.ts';
import { cancelWaiting } from '#server/messages/queries/cancel-waiting.ts';
import { forgetGoodCopy } from '#server/numbers/queries/profiles.ts';
import { findSession, type SessionRow, settleIntent, writeStatus } from '#server/numbers/queries/sessions.ts';
import type { Log } from '#server/platform/log.ts';
import { settings } from '#server/settings.ts';
import { withTimeout } from '../engine/timeout.ts';
import type { Source } from '../profiles/take-up.ts';
import { admitPhone } from './admit-phone.ts';
import { GroupList } from './group-list.ts';
import { Linking } from './linking.ts';
import { NumberHealth } from './number-health.ts';
import { PageBuild } from './page-build.ts';
import { REASONS } from './reasons.ts';
import { RunningSession, type RunningSessionOptions } from './running-session.ts';
import { TaskQueue } from './task-queue.ts';

interface NumberWorkerOptions extends Omit<RunningSessionOptions, 'builds'> {
  /** Which build of WhatsApp Web the operator wants. */
  buildSetting: BuildSetting;
  /** What its profile was taken up from. */
  source: Source;
  /** Puts the last good copy of its session in place of its profile; false when there is none. */
  restoreGoodCopy(): Promise<boolean>;
  /** Nothing is left to do for this number: its lease can be given back. */
  onIdle(): void;
}

/** Messages wait so long for what WhatsApp restricts. */
const HEALTH_MS = 3000;
/** A message that is on its way has so long for its outcome when the session is restarted on purpose. */
const STOP_GRACE_MS = 30_000;

/**
 * One number under this worker's lease: brings its session where its owner wants it (the row's intent),
 * tells the row what the session says, and runs its dispatcher while it is connected.
 */
export class NumberWorker {
  readonly #o: NumberWorkerOptions;
  readonly #log: Log;
  /** Everything that changes the session happens here, one after the other. */
  readonly #steps: TaskQueue;
  readonly #running: RunningSession;
  readonly #linking: Linking;
  readonly #groups: GroupList;
  readonly #health: NumberHealth;
  readonly #builds: PageBuild;
  #row: SessionRow | null = null;
  #carriedRevision = -1;
  #moveTimer: NodeJS.Timeout | undefined;
  #stopping = false;
  /** Since its profile was taken up nothing has shown that a browser spoke to WhatsApp as this number. */
  #untouched = true;
  /** What the browser of now started from is known to be whole. */
  #whole: boolean;
  /** WhatsApp's server has ended the link: a QR is its proof, and not a sign of damage. */
  #linkEnded = false;

  constructor(options: NumberWorkerOptions) {
    this.#o = options;
    this.#whole = options.source === 'snapshot';
    const { database, holding } = options;
    const log = options.log.child({ numberId: holding.numberId });
    this.#log = log;
    const shared = {
      row: () => this.#row,
      tell: (status: SessionRow['status'], reason: string | null) => this.#tell(status, reason),
    };
    this.#steps = new TaskQueue({
      log,
      isStopping: () => this.#stopping,
      onGivenUp: () => this.#running.startOver(),
    });
    const { buildSetting: setting } = options;
    this.#builds = new PageBuild({ database, log, holding, setting, row: () => this.#row });
    this.#groups = new GroupList({ database, log, holding });
    this.#health = new NumberHealth({
      database,
      log,
      holding,
      session: () => this.#running.session,
      onChange: () => this.#running.wake(),
    });
    this.#linking = new Linking({
      ...shared,
      database,
      log,
      holding,
      session: () => this.#running.session,
      onExpired: () => this.#steps.post(() => this.#linkingEnded()),
    });
    this.#running = new RunningSession(
      { ...options, log, builds: this.#builds },
      {
        ...shared,
        isStopping: () => this.#stopping,
        post: (task, isCurrent) => this.#steps.post(task, isCurrent),
        onOpen: () => this.#linking.forgetQr(),
        onClose: () => {
          this.#linking.stop();
          this.#health.stop();
        },
        onState: (state) => this.#onState(state),
        onQr: (qr, expiresAtMs) => this.#linking.onQr(qr, expiresAtMs),
        onPairingCode: (pairingCode) => this.#linking.onPairingCode(pairingCode),
        onLimits: () => void this.#health.read(),
        onReceivedFrom: (digits) => void this.#health.receivedFrom(digits),
        onRefused: (recipient, code) => void this.#health.refused(recipient, code),
        onUnwanted: () => this.#finish(),
        onRestart: () => this.#follow(),
      },
    );
  }

  /** Begins to follow the row's intent. */
  async start(): Promise<void> {
    const { holding, media } = this.#o;
    await media.recover(holding);
    this.intentChanged();
    this.#steps.post(() => this.#awaitArrival());
  }

  /** The row may have a new intent. */
  intentChanged(): void {
    this.#steps.post(() => this.#follow());
  }

  /** Its session, where there is one, is to be gone on with. */
  get linked(): boolean {
    return this.#row?.intent !== 'link';
  }

  /** The build of WhatsApp Web that its session runs; null before that is known. */
  get build(): string | null {
    return this.#builds.version;
  }

  /** It is connected, and can be handed over without anybody noticing. */
  get movable(): boolean {
    return this.#running.dispatching && this.#row?.intent === 'run';
  }

  /**
   * Takes no more work; resolves when what is being dispatched has its outcome, at the latest after `graceMs`.
   * The session stays, and the lease is to be renewed until it is stopped.
   */
  async quiesce(graceMs: number): Promise<void> {
    this.#stopping = true;
    this.#o.media.leave(this.#o.holding.numberId);
    await this.#running.stopDispatching(graceMs);
  }

  /** It is not connected, and comes back without a person's help: says why, where it is to be connected at all. */
  async tellAway(reason: string): Promise<void> {
    const row = await findSession(this.#o.database, this.#o.holding);
    if (row?.planLapsed) return;
    if (row?.intent === 'run') await this.#tell('RECONNECTING', reason);
    else if (row?.intent === 'link') await this.#tell('LINKING', reason);
  }

  /** Ends the session and keeps the link; what is being dispatched gets up to `graceMs` for its outcome. */
  async stop(graceMs: number): Promise<void> {
    await this.quiesce(graceMs);
    clearTimeout(this.#moveTimer);
    // A start that hangs holds up the queue of tasks until its browser is gone.
    await this.#running.session?.stop();
    await this.#steps.end(() => this.#running.close());
  }

  /** The lease cannot be kept: the browser ends now, whatever it is doing, and is killed after `withinMs`. */
  async abandon(withinMs: number): Promise<void> {
    this.#stopping = true;
    clearTimeout(this.#moveTimer);
    this.#o.media.leave(this.#o.holding.numberId);
    await this.#running.abandon(withinMs);
    await this.#steps.end(() => this.#running.close());
  }

  /** A message was accepted. `awaitsMedia`: its file is to be fetched first. */
  messageCame(awaitsMedia: boolean): void {
    if (awaitsMedia) this.lookForWork();
    else this.#running.wake();
  }

  /** Looks at the queue, and fetches what is still to be fetched. */
  lookForWork(): void {
    this.#running.lookForWork();
  }

  /** Brings the session to what the row's owner wants. */
  async #follow(): Promise<void> {
    const row = await findSession(this.#o.database, this.#o.holding);
    this.#row = row;
    this.#running.wake();
    if (!row) return this.#finish();
    const { session, dispatching } = this.#running;
    if (row.groupsAsked && session && dispatching) void this.#groups.list(session);
    const anew = row.intentRevision !== this.#carriedRevision;
    this.#carriedRevision = row.intentRevision;
    switch (row.intent) {
      case 'link':
        return this.#link(row, anew);
      case 'run':
        if (this.#o.source === 'stale') return this.#ended('LOGGED_OUT', REASONS.stale);
        if (row.planLapsed) return this.#stopForPlan();
        if ((row.blockedLeftMs ?? 0) > 0) return this.#finish();
        if (row.status === 'BLOCKED') await this.#tell('RECONNECTING', REASONS.banOver);
        if (!this.#running.session && !this.#running.restartsLater) await this.#open();
        else if (this.#builds.isToRestart(row)) await this.#restart(REASONS.newBuild);
        return;
      case 'unlink':
        return this.#unlink(row);
      case 'idle':
        return this.#finish();
      default:
        return row.intent satisfies never;
    }
  }

  /** Opens a session on the build that is right for it now; null where there is none that it may start on. */
  async #open(): Promise<{ started: Promise<void> } | null> {
    const choice = await this.#builds.choose();
    if ('build' in choice) return { started: this.#running.open(choice.build) };
    await this.#running.lost('no build to start on', { words: choice.refused });
    return null;
  }

  /** Once what is being dispatched has its outcome. */
  async #restart(reason: string): Promise<void> {
    await this.#running.stopDispatching(STOP_GRACE_MS);
    await this.#tell('RECONNECTING', reason);
    await this.#running.close();
    await this.#open();
  }

  /** A number that was handed over is shown as connected for a while; then it must be so. */
  async #awaitArrival(): Promise<void> {
    const leftMs = this.#row?.moveLeftMs ?? 0;
    if (leftMs <= 0) return;
    const late = async () => {
      if (!this.#running.dispatching && this.#row?.intent === 'run')
        await this.#tell('RECONNECTING', REASONS.lost);
    };
    this.#moveTimer = setTimeout(() => this.#steps.post(late), leftMs);
  }

  async #link(row: SessionRow, anew: boolean): Promise<void> {
    const leftMs = row.linkLeftMs ?? 0;
    if (leftMs <= 0) return this.#linkingEnded();
    this.#linking.expireIn(leftMs);
    if (!this.#running.session) await this.#open();
    else if (anew) await this.#linking.showAgain(row);
  }

  async #linkingEnded(): Promise<void> {
    const row = await findSession(this.#o.database, this.#o.holding);
    if (row?.intent !== 'link') return;
    await this.#running.close();
    const status = row.phoneNumber ? 'LOGGED_OUT' : 'UNLINKED';
    await this.#tell(status, REASONS.linkingExpired);
    await settleIntent(this.#o.database, this.#o.holding, { intent: 'idle', revision: row.intentRevision });
    this.#o.onIdle();
  }

  async #unlink(row: SessionRow): Promise<void> {
    if (!this.#running.session) await (await this.#open())?.started;
    const removed = await this.#logOut();
    await this.#running.close();
    await this.#tell('UNLINKED', removed ? UNLINKED_HERE : REASONS.unlinkedUntold);
    await settleIntent(this.#o.database, this.#o.holding, { intent: 'idle', revision: row.intentRevision });
    this.#o.onIdle();
  }

  /** Its link is kept, and a renewed plan starts it again. */
  async #stopForPlan(): Promise<void> {
    await this.#tell('RECONNECTING', PLAN_STOPPED);
    await this.#finish();
  }

  async #finish(): Promise<void> {
    await this.#running.close();
    this.#o.onIdle();
  }

  async #onState(state: EngineState): Promise<void> {
    if (state.state !== 'qr') this.#untouched = this.#whole = false;
    switch (state.state) {
      case 'qr':
        if (this.#row?.intent === 'run') return this.#askedToLink();
        return this.#linking.onUnpaired();
      case 'passkey':
        await this.#tell('LINKING', REASONS.passkey);
        return;
      case 'syncing':
        return this.#linking.onSyncing(state.percent);
      case 'ready':
        this.#log.info({ build: state.build }, 'connected');
        this.#linkEnded = false;
        return this.#onReady(state.phone);
      case 'waiting':
        this.#running.waiting();
        return this.tellAway(state.reason);
      case 'logged_out':
        return this.#ended('LOGGED_OUT', state.cause.words);
      case 'conflict':
        return this.#ended('CONFLICT', REASONS.conflict);
      case 'blocked':
        return this.#blocked(state.reason, state.until);
      case 'gone':
        this.#linkEnded ||= state.linkEnded === true;
        return this.#running.lost(state.reason, { words: state.words, pauseMs: state.pauseMs });
      default:
        return state satisfies never;
    }
  }

  /**
   * The page asks for a phone though the number is linked: the device was removed, or what is stored of the session is
   * damaged. Only a session that was whole when it started shows which.
   */
  async #askedToLink(): Promise<void> {
    const wasWhole = this.#whole;
    if (this.#untouched && !wasWhole) {
      await this.#running.close();
      if (await this.#o.restoreGoodCopy()) {
        this.#log.warn(
          'what was stored of the session was damaged, or the device removed: its last good copy is tried',
        );
        this.#whole = true;
        await this.#open();
        return;
      }
    }
    const known = wasWhole || this.#linkEnded;
    return this.#ended('LOGGED_OUT', known ? logoutCause(null).words : REASONS.linkGone);
  }

  async #onReady(phone: string): Promise<void> {
    const { database, holding } = this.#o;
    const row = this.#row;
    if (!row || row.intent === 'unlink' || row.intent === 'idle') return;
    const admitted = await admitPhone(database, holding, { row, phone });
    if ('refused' in admitted) return this.#refuse(admitted.refused);
    if (!(await this.#tell('CONNECTED', admitted.replaced ? REASONS.replaced : null))) return;
    await forgetGoodCopy(database, holding);
    this.#row = await findSession(database, holding);
    this.#linking.stop();
    // Before anything leaves: what waits may be to people whom WhatsApp refuses.
    await withTimeout(HEALTH_MS, 'the restrictions', this.#health.read()).catch(() => {});
    await this.#running.connected();
  }

  /** A phone that may not be linked here is logged out again. */
  async #refuse(reason: string): Promise<void> {
    const row = this.#row;
    const removed = await this.#logOut();
    const words = removed ? reason : `${reason} ${REASONS.stillListed}`;
    await this.#ended(row?.phoneNumber ? 'LOGGED_OUT' : 'UNLINKED', words);
  }

  /** False when WhatsApp did not confirm it: the phone lists this device still. */
  async #logOut(): Promise<boolean> {
    const logout = this.#running.session?.unlink().catch((error: unknown) => {
      this.#log.warn({ err: error }, 'logging out failed');
      return false;
    });
    return (await logout) ?? true;
  }

  /** WhatsApp refuses it. With a known end a linked number is started once after that, by whichever worker is there then. */
  async #blocked(reason: string, untilMs: number | null): Promise<void> {
    const goesOn = await this.#builds.goOn(reason);
    if (goesOn !== null)
      return this.#running.lost('the build does not work', { words: goesOn, atOnce: true });
    const startsAgain = untilMs !== null && this.#row?.intent === 'run';
    const words = blockedReason(reason, { untilMs, startsAgain, timeZone: settings.timeZone });
    await this.#ended('BLOCKED', words, { blockedUntilMs: untilMs, startsAgain });
  }

  /**
   * A state that only a person can change, or time where an end is known: the session ends, and those who wait
   * get their answer.
   */
  async #ended(
    status: 'LOGGED_OUT' | 'CONFLICT' | 'BLOCKED' | 'UNLINKED',
    reason: string,
    {
      blockedUntilMs = null,
      startsAgain = false,
    }: { blockedUntilMs?: number | null; startsAgain?: boolean } = {},
  ): Promise<void> {
    const { database, holding } = this.#o;
    const row = await findSession(database, holding);
    await writeStatus(database, holding, { status, reason, blockedUntilMs });
    await this.#running.close();
    if (row) {
      await cancelWaiting(database.db, {
        accountId: row.accountId,
        numberId: holding.numberId,
        holding,
        lane: 'sync',
        errorCode: 'not_connected',
        error: reason,
      });
      if (!startsAgain)
        await settleIntent(database, holding, { intent: 'idle', revision: row.intentRevision });
    }
    this.#o.onIdle();
  }

  async #tell(status: SessionRow['status'], reason: string | null): Promise<boolean> {
    return writeStatus(this.#o.database, this.#o.holding, { status, reason });
  }
}

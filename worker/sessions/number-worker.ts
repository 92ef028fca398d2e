import { UNLINKED_HERE } from '#server/core/number-status-text.ts';
import type { BuildSetting } from '#server/core/page-build.ts';
import { paceOf } from '#server/numbers/pace.ts';
import { findSession, type SessionRow, settleIntent, writeStatus } from '#server/numbers/queries/sessions.ts';
import type { Source } from '../profiles/acquire-profile.ts';
import { GroupList } from './group-list.ts';
import { HealthRecorder } from './health-recorder.ts';
import { Linking } from './linking.ts';
import { PageBuild } from './page-build.ts';
import { REASONS } from './reasons.ts';
import { RecipientChecks } from './recipient-checks.ts';
import { RunningSession, type RunningSessionOptions } from './running-session.ts';
import { SessionStates } from './session-states.ts';
import { showWaiting } from './show-waiting.ts';
import { TaskQueue } from './task-queue.ts';

interface NumberWorkerOptions extends Omit<RunningSessionOptions, 'builds'> {
  /** Which build of WhatsApp Web the operator wants. */
  buildSetting: BuildSetting;
  /** Where the number's profile was acquired from. */
  source: Source;
  /** Replaces the number's profile with the last good copy of its session; false if there is none. */
  restoreGoodCopy(): Promise<boolean>;
  /** Nothing is left to do for this number: its lease can be released. */
  onIdle(): void;
}

/** When the session is restarted or ended deliberately, the current dispatch may take this long to get its outcome. */
const RESTART_GRACE_MS = 30_000;
const END_GRACE_MS = 5_000;

/**
 * One number under this worker's lease: makes its session do what the owner wants (the row's intent), and writes the
 * session's state to the row.
 */
export class NumberWorker {
  readonly #o: NumberWorkerOptions;
  /** Everything that changes the session runs here, one task after the other. */
  readonly #tasks: TaskQueue;
  readonly #running: RunningSession;
  readonly #linking: Linking;
  readonly #groups: GroupList;
  readonly #checks: RecipientChecks;
  readonly #health: HealthRecorder;
  readonly #builds: PageBuild;
  readonly #states: SessionStates;
  #row: SessionRow | null = null;
  #appliedRevision = -1;
  #moveTimer: NodeJS.Timeout | undefined;
  #stopping = false;

  constructor(options: NumberWorkerOptions) {
    this.#o = options;
    const { database, holding } = options;
    const log = options.log.child({ numberId: holding.numberId });
    const shared = {
      row: () => this.#row,
      setStatus: (status: SessionRow['status'], reason: string | null) => this.#setStatus(status, reason),
    };
    this.#tasks = new TaskQueue({
      log,
      isStopping: () => this.#stopping,
      onGivenUp: () => this.#running.startOver(),
    });
    const { buildSetting: setting } = options;
    this.#builds = new PageBuild({ database, log, holding, setting, row: () => this.#row });
    this.#groups = new GroupList({ database, log, holding });
    this.#checks = new RecipientChecks({
      ...{ database, log, holding },
      session: () => (this.#running.dispatching ? this.#running.session : null),
    });
    this.#health = new HealthRecorder({
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
      onTime: () => this.#tasks.post(() => this.#linkingEnded()),
    });
    this.#running = new RunningSession(
      { ...options, log, builds: this.#builds },
      {
        ...shared,
        isStopping: () => this.#stopping,
        post: (task, isCurrent) => this.#tasks.post(task, isCurrent),
        onOpen: () => this.#linking.forgetQr(),
        onClose: () => {
          this.#linking.stop();
          this.#health.stop();
        },
        onState: (state) => this.#states.onState(state),
        onQr: (qr, expiresAtMs) => this.#linking.onQr(qr, expiresAtMs),
        onPairingCode: (pairingCode) => this.#linking.onPairingCode(pairingCode),
        onLimits: () => void this.#health.read(),
        onReceivedFrom: (digits) => void this.#health.receivedFrom(digits),
        onRefused: (recipient, code) => void this.#health.refused(recipient, code),
        onUnwanted: () => this.#finish(),
        onRestart: () => this.#applyIntent(),
      },
    );
    this.#states = new SessionStates({
      ...options,
      ...shared,
      log,
      running: this.#running,
      linking: this.#linking,
      health: this.#health,
      builds: this.#builds,
      reload: async () => {
        this.#row = await findSession(database, holding);
      },
      reopen: async () => void (await this.#open()),
      setWaiting: (reason) => this.setWaiting(reason),
    });
  }

  /** Starts to apply the row's intent. */
  async start(): Promise<void> {
    const { holding, media } = this.#o;
    await media.recover(holding);
    this.intentChanged();
    this.#tasks.post(() => this.#awaitArrival());
  }

  /** The row may have a new intent. */
  intentChanged(): void {
    this.#tasks.post(() => this.#applyIntent());
  }

  /** The number is linked, so its session is kept. */
  get linked(): boolean {
    return this.#row?.intent !== 'link';
  }

  /** The build of WhatsApp Web that the number's session runs; null while unknown. */
  get build(): string | null {
    return this.#builds.version;
  }

  /** The number is connected, so it still shows as connected during a hand-over. */
  get movable(): boolean {
    return this.#running.dispatching && this.#row?.intent === 'run';
  }

  /**
   * Dispatches nothing more. Resolves when the current dispatch has its outcome, after `graceMs` at the latest. The
   * session keeps running, so its lease must be renewed until {@link stop}.
   */
  async quiesce(graceMs: number): Promise<void> {
    this.#stopping = true;
    this.#o.media.leave(this.#o.holding.numberId);
    await this.#running.stopDispatching(graceMs);
  }

  /** Writes why the number waits until it reconnects automatically. */
  setWaiting(reason: string): Promise<void> {
    return showWaiting(this.#o.database, this.#o.holding, reason);
  }

  /** Ends the session and keeps the link. The current dispatch gets up to `graceMs` for its outcome. */
  async stop(graceMs: number): Promise<void> {
    await this.quiesce(graceMs);
    clearTimeout(this.#moveTimer);
    // A start that hangs blocks the task queue until its browser has ended.
    await this.#running.session?.stop();
    await this.#tasks.end(() => this.#running.close());
  }

  /** The lease cannot be kept: the browser ends now, and is killed after `withinMs`. */
  async abandon(withinMs: number): Promise<void> {
    this.#stopping = true;
    clearTimeout(this.#moveTimer);
    this.#o.media.leave(this.#o.holding.numberId);
    await this.#running.abandon(withinMs);
    await this.#tasks.end(() => this.#running.close());
  }

  /** A message was accepted. `awaitsMedia`: its file must be downloaded first. */
  onAccepted(awaitsMedia: boolean): void {
    if (awaitsMedia) this.lookForWork();
    else this.#running.wake();
  }

  /** Checks the queue, and downloads pending files. */
  lookForWork(): void {
    this.#running.lookForWork();
  }

  /** Makes the session do what the row's intent says. */
  async #applyIntent(): Promise<void> {
    const row = await findSession(this.#o.database, this.#o.holding);
    this.#row = row;
    this.#running.wake();
    if (!row) return this.#finish();
    const { session, dispatching } = this.#running;
    if (row.groupsAsked && session && dispatching) void this.#groups.list(session);
    if (row.checksAsked && dispatching) void this.#checks.run(paceOf(row));
    const isNew = row.intentRevision !== this.#appliedRevision;
    this.#appliedRevision = row.intentRevision;
    switch (row.intent) {
      case 'link':
        return this.#link(row, isNew);
      case 'run':
        if (this.#o.source === 'stale') return this.#states.end('LOGGED_OUT', REASONS.stale);
        if (row.stopReason) return this.#stopOnPurpose(row.stopReason);
        if ((row.blockedLeftMs ?? 0) > 0) return this.#finish();
        if (row.status === 'BLOCKED') await this.#setStatus('RECONNECTING', REASONS.banOver);
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

  /** Opens a session on the build that the number should use; null if no build is allowed. */
  async #open(): Promise<{ started: Promise<void> } | null> {
    const choice = await this.#builds.choose();
    if ('build' in choice) return { started: this.#running.open(choice.build) };
    await this.#running.lost('no build to start on', { words: choice.refused });
    return null;
  }

  /** Restarts the session once the current dispatch has its outcome. */
  async #restart(reason: string): Promise<void> {
    await this.#running.stopDispatching(RESTART_GRACE_MS);
    await this.#setStatus('RECONNECTING', reason);
    await this.#running.close();
    await this.#open();
  }

  /** A handed-over number shows as connected for a limited time. If it is late, it shows as reconnecting. */
  async #awaitArrival(): Promise<void> {
    const leftMs = this.#row?.moveLeftMs ?? 0;
    if (leftMs <= 0) return;
    const late = async () => {
      if (!this.#running.dispatching && this.#row?.intent === 'run')
        await this.#setStatus('RECONNECTING', REASONS.lost);
    };
    this.#moveTimer = setTimeout(() => this.#tasks.post(late), leftMs);
  }

  async #link(row: SessionRow, isNew: boolean): Promise<void> {
    if (this.#linking.isOver(row)) return this.#linkingEnded();
    this.#linking.watchTime(row);
    if (!this.#running.session) {
      if (isNew || !this.#running.restartsLater) await this.#open();
    } else if (isNew) await this.#linking.showAgain(row);
  }

  async #linkingEnded(): Promise<void> {
    const row = await findSession(this.#o.database, this.#o.holding);
    if (row?.intent !== 'link') return;
    if (!this.#linking.isOver(row)) return this.#linking.watchTime(row);
    await this.#running.close();
    const status = row.phoneNumber ? 'LOGGED_OUT' : 'UNLINKED';
    const reason = row.status === 'SYNCING' ? REASONS.notLoaded : REASONS.linkingExpired;
    await this.#setStatus(status, reason);
    await settleIntent(this.#o.database, this.#o.holding, { intent: 'idle', revision: row.intentRevision });
    this.#o.onIdle();
  }

  async #unlink(row: SessionRow): Promise<void> {
    if (!this.#running.session) await (await this.#open())?.started;
    await this.#running.stopDispatching(END_GRACE_MS);
    const removed = await this.#states.logOut();
    await this.#running.close();
    await this.#setStatus('UNLINKED', removed ? UNLINKED_HERE : REASONS.unlinkNotConfirmed);
    await settleIntent(this.#o.database, this.#o.holding, { intent: 'idle', revision: row.intentRevision });
    this.#o.onIdle();
  }

  /** Keeps the link, so that the number can start again without its phone. */
  async #stopOnPurpose(reason: string): Promise<void> {
    await this.#running.stopDispatching(END_GRACE_MS);
    await this.#setStatus('RECONNECTING', reason);
    await this.#finish();
  }

  async #finish(): Promise<void> {
    await this.#running.close();
    this.#o.onIdle();
  }

  async #setStatus(status: SessionRow['status'], reason: string | null): Promise<boolean> {
    return writeStatus(this.#o.database, this.#o.holding, { status, reason });
  }
}

import type { Cause } from '#server/core/number/cause.ts';
import type { BuildSetting } from '#server/core/page-build.ts';
import { findSession, type SessionRow, writeStatus } from '#server/numbers/queries/sessions.ts';
import type { Source } from '../profiles/acquire-profile.ts';
import { GroupList } from './group-list.ts';
import { HealthRecorder } from './health-recorder.ts';
import { Linking } from './linking.ts';
import { PageBuild } from './page-build.ts';
import { PageChecks } from './page-checks.ts';
import { RecipientChecks } from './recipient-checks.ts';
import { RunningSession, type RunningSessionOptions } from './running-session.ts';
import { SessionIntent } from './session-intent.ts';
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

/** One number under this worker's lease: creates the parts that run its session, and passes events between them. */
export class NumberWorker {
  readonly #o: NumberWorkerOptions;
  /** Everything that changes the session runs here, one task after the other. */
  readonly #tasks: TaskQueue;
  readonly #running: RunningSession;
  readonly #linking: Linking;
  readonly #health: HealthRecorder;
  readonly #builds: PageBuild;
  readonly #states: SessionStates;
  readonly #intent: SessionIntent;
  #row: SessionRow | null = null;
  #moveTimer: NodeJS.Timeout | undefined;
  #stopping = false;

  constructor(options: NumberWorkerOptions) {
    this.#o = options;
    const { database, holding } = options;
    const log = options.log.child({ numberId: holding.numberId });
    const shared = {
      row: () => this.#row,
      setStatus: (status: SessionRow['status'], cause: Cause | null) => this.#setStatus(status, cause),
    };
    this.#tasks = new TaskQueue({
      log,
      isStopping: () => this.#stopping,
      onGivenUp: () => this.#running.startOver(),
    });
    const { buildSetting: setting } = options;
    this.#builds = new PageBuild({ database, log, holding, setting, row: () => this.#row });
    const groups = new GroupList({ database, log, holding });
    const pageChecks = new PageChecks({ database, log, holding });
    const checks = new RecipientChecks({
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
      onTime: () => this.#tasks.post(() => this.#intent.linkingEnded()),
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
        onUnwanted: async () => options.onIdle(),
        onRestart: () => this.#intent.apply(),
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
      reload: async () => void (await this.#reload()),
      reopen: async () => void (await this.#intent.open()),
      setWaiting: (cause) => this.setWaiting(cause),
    });
    this.#intent = new SessionIntent({
      ...options,
      ...{ groups, checks, pageChecks, running: this.#running, states: this.#states },
      ...{ linking: this.#linking, builds: this.#builds, setStatus: shared.setStatus },
      reload: () => this.#reload(),
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
    this.#tasks.post(() => this.#intent.apply());
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
  setWaiting(cause: Cause): Promise<void> {
    return showWaiting(this.#o.database, this.#o.holding, cause);
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

  /** A handed-over number shows as connected for a limited time. If it is late, it shows as reconnecting. */
  async #awaitArrival(): Promise<void> {
    const leftMs = this.#row?.moveLeftMs ?? 0;
    if (leftMs <= 0) return;
    const late = async () => {
      if (!this.#running.dispatching && this.#row?.intent === 'run')
        await this.#setStatus('RECONNECTING', { code: 'connection_lost' });
    };
    this.#moveTimer = setTimeout(() => this.#tasks.post(late), leftMs);
  }

  async #reload(): Promise<SessionRow | null> {
    this.#row = await findSession(this.#o.database, this.#o.holding);
    return this.#row;
  }

  async #setStatus(status: SessionRow['status'], cause: Cause | null): Promise<boolean> {
    return writeStatus(this.#o.database, this.#o.holding, { status, cause });
  }
}

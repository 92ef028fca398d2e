import type { EngineSession } from '#server/core/engine.ts';
import type { Holding } from '#server/core/lease.ts';
import type { NumberEvent } from '#server/core/number/machine.ts';
import type { SessionRow } from '#server/core/number/session-row.ts';
import { intervalMs } from '#server/core/pacing/interval.ts';
import type { SendError } from '#server/core/send-failures.ts';
import { delaySlotAfterUnknown } from '#server/messages/queries/slots.ts';
import { findUnread, takeOverUnknown } from '#server/messages/queries/sweeps.ts';
import { paceOf } from '#server/numbers/pace.ts';
import { writeStatus } from '#server/numbers/queries/sessions.ts';
import type { Database } from '#server/platform/db/client.ts';
import type { Log } from '#server/platform/log.ts';
import type { HealthRecorder } from '../health-recorder.ts';
import type { PageBuild } from '../page-build.ts';
import type { SessionWatch } from '../session-watch.ts';
import { Dispatcher } from './dispatcher.ts';
import type { IntervalGuard } from './interval-guard.ts';
import type { MediaDownloads } from './media-downloads.ts';
import { recordReceipts, resolveUnknown } from './resolve-unknown.ts';

interface SessionDispatchOptions {
  database: Database;
  log: Log;
  holding: Holding;
  intervalGuard: IntervalGuard;
  media: MediaDownloads;
  builds: PageBuild;
  health: HealthRecorder;
  watch: SessionWatch;
  ackTimeoutMs: number;
  /** May this worker act for the number, by its monotonic clock? */
  holdsLease(): boolean;
  /** As last read. */
  row(): SessionRow | null;
  /** An event of the session, unless it is no longer current when its turn comes. */
  post(event: NumberEvent, isCurrent: () => boolean): void;
}

/** How many outcomes are kept until there is a dispatcher. */
const EARLY_MAX = 1000;

/** Runs the dispatcher of a number's current session: from its first connection until it ends. */
export class SessionDispatch {
  readonly #o: SessionDispatchOptions;
  #dispatcher: Dispatcher | null = null;
  #waiting = false;
  #leaving = false;
  /** Outcomes that came while there was no dispatcher. */
  #early: ((dispatcher: Dispatcher) => Promise<void>)[] = [];

  constructor(options: SessionDispatchOptions) {
    this.#o = options;
  }

  /** The session is connected and sends messages. */
  get active(): boolean {
    return this.#dispatcher !== null && !this.#waiting;
  }

  /** A file is being sent. */
  get sendsFile(): boolean {
    return this.#dispatcher?.sendsFile ?? false;
  }

  /** For the gate: see {@link Dispatcher.claimedMsAgo}. */
  async claimedMsAgo(waMessageId: string): Promise<number | null> {
    return (await this.#dispatcher?.claimedMsAgo(waMessageId)) ?? null;
  }

  /** The session is connected, for the first time or again. */
  async connected(session: EngineSession): Promise<void> {
    this.#waiting = false;
    if (this.#dispatcher) this.#dispatcher.resume();
    else await this.#start(session);
  }

  /** The session is disconnected: nothing is dispatched until {@link connected}. */
  waiting(): void {
    this.#waiting = true;
    this.#dispatcher?.pause();
  }

  /** Dispatches nothing more. Resolves when the current dispatch has its outcome, which {@link sessionLost} forces. */
  async stop(): Promise<void> {
    await this.#dispatcher?.stop();
  }

  /** The number ends here: no further file is downloaded. */
  leave(): void {
    this.#leaving = true;
    this.#o.media.leave(this.#o.holding.numberId);
  }

  /** The session has ended: a message without an outcome may have left. */
  sessionLost(): void {
    this.#dispatcher?.sessionLost();
  }

  /** Stops, so that the next session gets a dispatcher of its own. */
  async end(): Promise<void> {
    this.#o.builds.kinds.stop();
    await this.stop();
    this.#dispatcher = null;
    this.#waiting = false;
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
      .fetchPending(holding, { ready: () => this.wake(), isOver: () => this.#leaving })
      .catch((error: unknown) => log.warn({ err: error }, 'pending files could not be listed'));
  }

  ack(waMessageId: string, ack: number, code: number | null): void {
    if (ack >= 1) this.#o.builds.acknowledged(waMessageId);
    this.#record((dispatcher) => dispatcher.ack(waMessageId, ack, code));
  }

  notSent(waMessageId: string, failure: SendError): void {
    this.#record((dispatcher) => dispatcher.notSent(waMessageId, failure));
  }

  #record(outcome: (dispatcher: Dispatcher) => Promise<void>): void {
    if (this.#dispatcher) void outcome(this.#dispatcher).catch(() => {});
    else if (this.#early.length < EARLY_MAX) this.#early.push(outcome);
  }

  async #start(session: EngineSession): Promise<void> {
    const { database, holding, log, media, health } = this.#o;
    const row = this.#o.row();
    if (!row) return;
    const dispatcher = new Dispatcher({
      database,
      log,
      holding,
      session,
      pace: () => paceOf(this.#o.row() ?? row),
      ackTimeoutMs: this.#o.ackTimeoutMs,
      intervalGuard: this.#o.intervalGuard,
      pageBuild: () => this.#o.builds.version,
      kinds: this.#o.builds.kinds,
      readFile: (message) => media.read(message),
      holdsLease: () => this.#o.holdsLease(),
      onRefused: (recipient, code) => void health.refused(recipient, code),
      onSilence: (shown) => this.#awaitRecovery(shown),
    });
    const unknown = await takeOverUnknown(database, holding);
    await delaySlotAfterUnknown(database, holding, { intervalMs: intervalMs(paceOf(row), 1) });
    const unread = await findUnread(database, holding);
    this.#dispatcher = dispatcher;
    for (const early of this.#early.splice(0)) this.#record(early);
    const resolving = { session, dispatcher, isOver: () => this.#dispatcher !== dispatcher, log };
    void resolveUnknown(resolving, { messages: unknown }).then(() => recordReceipts(resolving, unread));
    dispatcher.start();
    this.#o.builds.kinds.begin(session, () => dispatcher.wake());
    this.lookForWork();
  }

  /**
   * A message was not sent in time: the number counts as disconnected until the session answers a probe, or until the
   * next session if this one answers and sends nothing.
   */
  async #awaitRecovery({ isStuck, hasSent }: { isStuck: boolean; hasSent: boolean }): Promise<void> {
    if (this.#waiting) return; // the number already shows as disconnected
    const { database, holding, watch, post } = this.#o;
    const dispatcher = this.#dispatcher;
    const isCurrent = () => this.#dispatcher === dispatcher;
    await writeStatus(database, holding, { status: 'RECONNECTING', cause: { code: 'no_confirmation' } });
    if (!(await watch.recovered())) return;
    // As tasks, which are retried if the database fails.
    if (!isStuck || !dispatcher) return post({ on: 'recovered' }, () => isCurrent() && !this.#waiting);
    // It claims nothing more before the session ends.
    dispatcher.pause();
    post(
      { on: 'lost', reason: 'not_sending', cause: { code: 'not_sending' }, neverWorked: !hasSent },
      isCurrent,
    );
  }
}

import { setTimeout as setTimeoutAsync } from 'node:timers/promises';
import type { EngineSession } from '#server/core/engine.ts';
import type { Holding } from '#server/core/lease.ts';
import { isMedia } from '#server/core/message.ts';
import { intervalMs, type SendPace } from '#server/core/pacing/interval.ts';
import type { Recipient } from '#server/core/recipient.ts';
import { RepeatedSilence } from '#server/core/repeated-silence.ts';
import { SendError } from '#server/core/send-failures.ts';
import type { ClaimedMessage } from '#server/messages/queries/claim.ts';
import { noteStep, type OutcomeWrite, writeOutcome } from '#server/messages/queries/dispatch.ts';
import { delaySlot } from '#server/messages/queries/slots.ts';
import type { Database } from '#server/platform/db/client.ts';
import type { Log } from '#server/platform/log.ts';
import { metrics } from '#server/platform/metrics/metrics.ts';
import { REFUSED } from '../../engine/outbox.ts';
import { Acknowledgements } from './acknowledgements.ts';
import type { BuildKinds } from './build-kinds.ts';
import { certainFailure, isNotStarted, outcomeOfAck, toSendError, UNCONFIRMED } from './dispatch-outcomes.ts';
import { failureLine } from './failure-log.ts';
import type { IntervalGuard } from './interval-guard.ts';
import { dispatched, noteDispatched, noteOutcome, outcomeOfEarlier, pageHas } from './lost-claims.ts';
import { NextCheck } from './next-check.ts';
import { outgoingOf } from './outgoing.ts';
import { RecipientResolver } from './recipient-resolver.ts';
import { Sleeper } from './sleeper.ts';
import { type Dispatch, observeSlot, takeSlot } from './take-slot.ts';

export interface DispatcherOptions {
  database: Database;
  log: Log;
  holding: Holding;
  session: EngineSession;
  /** Read again for each slot. */
  pace(): SendPace;
  ackTimeoutMs: number;
  intervalGuard: IntervalGuard;
  /** The file of a message as it was downloaded; rejects with {@link SendError} if it is damaged. */
  readFile(message: ClaimedMessage): Promise<Buffer | null>;
  /** The build of WhatsApp Web that sends the messages. */
  pageBuild(): string | null;
  kinds: Pick<BuildKinds, 'allowed' | 'acknowledged' | 'failed' | 'ended'>;
  /** May this worker act for the number, by its own monotonic clock? */
  holdsLease(): boolean;
  /**
   * The page did not send a message in time. Resolves when a probe shows that the session is connected. `isStuck`: this
   * was one too many in a row, so the session must end. `hasSent`: WhatsApp has answered at least one of its messages.
   */
  onSilence(shown: { isStuck: boolean; hasSent: boolean }): Promise<void>;
  /** WhatsApp refused a message, to this recipient; `code` if it is known. Null: one of an earlier message. */
  onRefused(recipient: Recipient | null, code: number | null): void;
}

/** More than the clocks of a database server and its replica differ. */
const CLOCK_MARGIN_MS = 10_000;
/** After a failover that lost a message's row, its caller repeats it within this time, also to a new worker. */
const REPEATED_WITHIN_MS = 10 * 60_000;
/** Between retries while the database is not available. */
const RETRY_MS = 500;

/**
 * Sends a number's messages, one at a time and at least the interval apart. It claims the next message when its slot
 * has come, hands it to the session and waits for the acknowledgement. Call `wake` after any change.
 */
export class Dispatcher {
  readonly #o: DispatcherOptions;
  readonly #acks: Acknowledgements;
  readonly #recipients: RecipientResolver;
  #running: Promise<void> | undefined;
  #stopped = false;
  #paused = false;
  readonly #sleeper = new Sleeper();
  readonly #silence = new RepeatedSilence();
  readonly #nextCheck: NextCheck;
  readonly #sinceMs = performance.now();
  #current: Dispatch | null = null;
  /** The last attempt found a message. */
  #hasClaimed = false;
  /** The last failure of a message is being judged. */
  #failing: Promise<void> = Promise.resolve();
  #intervalMs: number;

  constructor(options: DispatcherOptions) {
    this.#o = options;
    this.#intervalMs = intervalMs(options.pace(), 1);
    this.#acks = new Acknowledgements((waMessageId, outcome) => this.#write(waMessageId, outcome));
    const { database, holding, session } = options;
    const untilWritten = <T>(work: () => Promise<T>) => this.#untilWritten(work);
    this.#recipients = new RecipientResolver({ database, holding, session, untilWritten });
    this.#nextCheck = new NextCheck({ ...options, intervalLeftMs: () => this.#intervalLeftMs() });
  }

  start(): void {
    this.#running ??= this.#loop();
    this.wake();
  }

  /** Claims nothing more. Resolves when the current dispatch has its outcome. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.wake();
    await this.#running;
  }

  /** Disconnected: claims nothing more, and the current dispatch stays open until {@link resume}. */
  pause(): void {
    this.#paused = true;
    this.#acks.pause();
  }

  /** Reconnected. */
  resume(): void {
    this.#paused = false;
    this.#acks.resume();
    this.wake();
  }

  /** A file is being sent: on a slow machine the page may not answer for seconds. */
  get sendsFile(): boolean {
    return this.#current !== null && isMedia(this.#current.message.content);
  }

  /** For the gate: the time since the claim was requested, in ms; null unless it is committed and still awaited. */
  async claimedMsAgo(waMessageId: string): Promise<number | null> {
    const dispatch = this.#current;
    const mine =
      dispatch?.message.waMessageId === waMessageId && (await dispatch.claimed) && this.#current === dispatch;
    return mine ? performance.now() - dispatch.requestedAtMs : null;
  }

  wake(): void {
    this.#sleeper.wake();
  }

  /** The session ended: a dispatched message may have left. */
  sessionLost(): void {
    this.#stopped = true;
    this.#acks.sessionLost();
    this.wake();
  }

  /** Records an acknowledgement of the current message or an earlier one. */
  ack(waMessageId: string, ack: number, code: number | null = null): Promise<void> {
    const current = this.#current?.message.waMessageId === waMessageId ? this.#current : null;
    if (current || this.#silence.includes(waMessageId)) this.#silence.answered();
    if (code !== null && current) current.refusedWith = code;
    // A refusal that came after the message had been given up.
    if (ack === REFUSED && code !== null && !current) this.#o.onRefused(null, code);
    return this.#acks.record(waMessageId, ack, code, current?.message.recipient ?? null);
  }

  /** A dispatched message was definitely not sent and will not be sent later. */
  notSent(waMessageId: string, failure: SendError): Promise<void> {
    const current = this.#current?.message.waMessageId === waMessageId ? this.#current : null;
    const recipient = current?.message.recipient ?? null;
    const outcome = certainFailure(failure, { recipient });
    if (current) {
      current.failure = failure;
      this.#logFailure(current.message, outcome, failure);
    } else this.#o.log.info({ waMessageId, reason: failure.reason, step: failure.step }, 'message not sent');
    return this.#acks.recordNotSent(waMessageId, outcome);
  }

  async #loop(): Promise<void> {
    let idle = false;
    while (!this.#stopped) {
      if (idle)
        await this.#sleeper.sleep(this.#paused ? Number.POSITIVE_INFINITY : await this.#nextCheck.inMs());
      if (this.#stopped) return;
      this.#sleeper.reset();
      idle = !(await this.#dispatchNext());
    }
  }

  /** Uses one slot. False if nothing waits or the slot has not come. */
  async #dispatchNext(): Promise<boolean> {
    const { database, holding, log } = this.#o;
    if (this.#paused || this.#intervalLeftMs() > 0 || !this.#o.holdsLease()) return false;
    try {
      this.#intervalMs = intervalMs(this.#o.pace(), Math.random());
      const kinds = await this.#o.kinds.allowed({ fresh: !this.#hasClaimed });
      this.#current = await takeSlot({
        ...{ database, holding, log, intervalMs: this.#intervalMs, pageBuild: this.#o.pageBuild(), kinds },
        untilWritten: (work) => this.#untilWritten(work),
      });
      this.#hasClaimed = this.#current !== null;
      if (!this.#current) return false;
      this.#nextCheck.claimed();
      this.#beginInterval();
      const dispatch = this.#current;
      await ((await this.#wasDispatched(dispatch)) ? this.#recordEarlier(dispatch) : this.#send(dispatch));
      // Others may try the kind only once they can see that it failed here.
      await this.#failing;
      await this.#o.kinds.ended(dispatch.message.content.type);
      return true;
    } catch (error) {
      log.error({ err: error, numberId: holding.numberId }, 'dispatch failed');
      return false;
    }
  }

  async #send(dispatch: Dispatch): Promise<void> {
    const { message, claimed } = dispatch;
    const { waMessageId } = message;
    observeSlot(message);
    const trace = { messageId: message.id, requestId: message.requestId };
    const claimedAtMs = performance.now();
    const acknowledged = this.#acks.waitFor(waMessageId, this.#o.ackTimeoutMs);
    const failure = await this.#dispatch(dispatch).then(
      () => null,
      (error: unknown) => toSendError(error),
    );
    if (!(await claimed)) {
      // The gate has held the message back, so it stays in the queue.
      dispatched.delete(waMessageId);
      acknowledged.cancel();
      this.#o.log.warn(trace, 'a claim was not committed');
      return;
    }
    if (failure?.certain) {
      this.#current = null;
      noteDispatched(waMessageId, null);
      acknowledged.cancel();
      const outcome = certainFailure(failure, message);
      this.#logFailure(message, outcome, failure);
      await this.#write(waMessageId, outcome);
      if (failure.reason === 'refused') this.#o.onRefused(message.recipient, failure.code);
      if (isNotStarted(failure, message)) await this.#noteSilence(message, { started: false });
      return;
    }
    const ack = await acknowledged.result;
    // From here on the gate holds back this message if it still waits in the page.
    this.#current = null;
    const ackMs = performance.now() - claimedAtMs;
    if (typeof ack === 'number') metrics().dispatchToAck.observe(ackMs / 1000);
    this.#o.log.info({ ...trace, ack, ackMs: Math.round(ackMs) }, 'message dispatched');
    if (typeof ack === 'number' && ack < 0) {
      const code = dispatch.refusedWith ?? null;
      const refused = new SendError(true, 'refused', 'refused by the server', { code, step: 'answered' });
      this.#logFailure(message, outcomeOfAck('failed', code, message.recipient), refused);
      this.#o.onRefused(message.recipient, code);
    }
    if (typeof ack === 'number' && ack > 0)
      await this.#o.kinds
        .acknowledged(message.content.type, waMessageId)
        .catch((error: unknown) => this.#o.log.warn({ err: error }, 'a proven kind could not be stored'));
    if (ack === 'lost') {
      const lost = failure ?? new SendError(false, 'disconnected', 'the session has ended');
      this.#logFailure(message, UNCONFIRMED, lost);
      await this.#write(waMessageId, UNCONFIRMED);
    }
    if (ack === 'not_sent' && dispatch.failure && isNotStarted(dispatch.failure, message))
      await this.#noteSilence(message, { started: false });
    if (ack === 'silence') await this.#afterSilence(dispatch, failure);
    this.#beginInterval();
  }

  /** The database lost the claim under which the message was dispatched, so only its outcome is recorded. */
  async #recordEarlier({ message, claimed }: Dispatch): Promise<void> {
    this.#current = null;
    if (await claimed) await this.#write(message.waMessageId, await outcomeOfEarlier(this.#o, message));
  }

  /** Known from this process's memory or, of a message that is older than this dispatcher, from the page. */
  async #wasDispatched(dispatch: Dispatch): Promise<boolean> {
    const { message } = dispatch;
    if (dispatched.has(message.waMessageId)) return true;
    const runsForMs = performance.now() - this.#sinceMs;
    const mayRepeat = message.keyed && runsForMs < REPEATED_WITHIN_MS;
    if (!mayRepeat && message.ageMs + CLOCK_MARGIN_MS < runsForMs) return false;
    return pageHas(this.#o, message, async () => (await this.#resolve(dispatch)).address);
  }

  /** Once for each dispatch. */
  #resolve(dispatch: Dispatch): ReturnType<RecipientResolver['resolve']> {
    dispatch.resolved ??= this.#recipients.resolve(dispatch.message);
    return dispatch.resolved;
  }

  async #dispatch(dispatch: Dispatch): Promise<void> {
    const { message } = dispatch;
    const step = { messageId: message.id, event: 'handed_over' } as const;
    const { address, noted } = await this.#resolve(dispatch);
    const file = await this.#o.readFile(message);
    noteDispatched(message.waMessageId, address);
    await this.#o.session.send(outgoingOf(message, address, file));
    void noted.then(() => noteStep(this.#o.database, step)).catch(() => {});
  }

  /** `earlier`: how its dispatch failed, if it did. */
  async #afterSilence({ message }: Dispatch, earlier: SendError | null): Promise<void> {
    const { database, holding, session } = this.#o;
    const { waMessageId } = message;
    const failure = session.giveUp(waMessageId);
    const outcome = failure.certain ? certainFailure(failure, message) : UNCONFIRMED;
    this.#logFailure(message, outcome, failure.certain ? failure : (earlier ?? failure));
    await this.#write(waMessageId, outcome);
    await this.#noteSilence(message, { started: !failure.certain });
    await delaySlot(database, holding, { intervalMs: this.#intervalMs });
  }

  #logFailure(message: ClaimedMessage, outcome: OutcomeWrite, failure: SendError): void {
    const line = failureLine(message, outcome, { failure, build: this.#o.pageBuild() });
    if (outcome.status === 'unknown') this.#o.log.warn(line, 'message unknown');
    else this.#o.log.info(line, 'message not sent');
    this.#failing = this.#o.kinds
      .failed(message.content.type, failure, message.waMessageId)
      .catch((error: unknown) => this.#o.log.warn({ err: error }, 'a failed kind could not be stored'));
  }

  async #noteSilence({ waMessageId }: ClaimedMessage, given: { started: boolean }): Promise<void> {
    const isStuck = this.#silence.add(waMessageId, given);
    await this.#o.onSilence({ isStuck, hasSent: this.#silence.hasSent });
  }

  async #write(waMessageId: string, outcome: OutcomeWrite): Promise<void> {
    const { database, holding } = this.#o;
    await this.#untilWritten(() =>
      writeOutcome(database, holding, { waMessageId, intervalMs: this.#intervalMs, ...outcome }),
    );
    noteOutcome(waMessageId, outcome);
  }

  /** Retries while the database is not available, until this worker no longer holds the lease. */
  async #untilWritten<T>(work: () => Promise<T>): Promise<T> {
    const { holding, log } = this.#o;
    for (;;) {
      try {
        return await work();
      } catch (error) {
        log.warn({ err: error, numberId: holding.numberId }, 'the database is not available; retrying');
        if (!this.#o.holdsLease()) throw error;
        await setTimeoutAsync(RETRY_MS);
      }
    }
  }

  /** Starts the interval on the monotonic clock. */
  #beginInterval(): void {
    this.#o.intervalGuard.begin(this.#o.holding.numberId, this.#intervalMs);
  }

  #intervalLeftMs(): number {
    return this.#o.intervalGuard.leftMs(this.#o.holding.numberId, intervalMs(this.#o.pace(), 1));
  }
}

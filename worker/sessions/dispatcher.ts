import { setTimeout as setTimeoutAsync } from 'node:timers/promises';
import type { EngineSession, Outgoing } from '#server/core/engine.ts';
import type { Holding } from '#server/core/lease.ts';
import { isMedia } from '#server/core/message.ts';
import { intervalMs, type SendPace } from '#server/core/pacing/interval.ts';
import type { Recipient } from '#server/core/recipient.ts';
import type { SendError } from '#server/core/send-failures.ts';
import type { ClaimedMessage } from '#server/messages/queries/claim.ts';
import { noteStep, type OutcomeWrite, writeOutcome } from '#server/messages/queries/dispatch.ts';
import { cutSlot, delaySlot, readOutlook } from '#server/messages/queries/slots.ts';
import type { Database } from '#server/platform/db/client.ts';
import type { Log } from '#server/platform/log.ts';
import { metrics } from '#server/platform/metrics/metrics.ts';
import { Acknowledgements } from './acknowledgements.ts';
import { AddressBook } from './address-book.ts';
import { certainFailure, toSendError, UNCONFIRMED } from './dispatch-outcomes.ts';
import type { SendThrottle } from './send-throttle.ts';
import { Sleeper } from './sleeper.ts';
import { type Turn, takeSlot } from './take-slot.ts';

export interface DispatcherOptions {
  database: Database;
  log: Log;
  holding: Holding;
  session: EngineSession;
  /** Read again for each slot. */
  pace(): SendPace;
  ackTimeoutMs: number;
  throttle: SendThrottle;
  mediaFile(messageId: string): string;
  /** The build of WhatsApp Web that messages leave through. */
  pageBuild(): string | null;
  /** May this worker act for the number, by its own monotonic clock? */
  isHeld(): boolean;
  /** No acknowledgement came: the number is not healthy until a probe says so. Resolves when it is again. */
  onSilence(): Promise<void>;
  /** WhatsApp refused a message to this recipient, with this code where it is known. */
  onRefused(recipient: Recipient, code: number | null): void;
}

/** A lost wake-up costs at most this. */
const SAFETY_MS = 2000;
/** Messages to new people that have to wait are looked at again after this at the latest. */
const LOOK_MS_MAX = 3_600_000;
/** Timers may fire a fraction of a millisecond early. */
const TIMER_SLACK_MS = 1;

/** While the database is away. */
const WRITE_AGAIN_MS = 500;

/**
 * Sends a number's messages, one at a time and at least the interval apart. The rows decide: it claims the
 * next message when its slot has come, hands it to the session and waits for the acknowledgement. What changes
 * something calls `wake`; calling it too often does no harm.
 */
export class Dispatcher {
  readonly #o: DispatcherOptions;
  readonly #acks: Acknowledgements;
  readonly #addressBook: AddressBook;
  #running: Promise<void> | undefined;
  #stopped = false;
  #paused = false;
  readonly #sleeper = new Sleeper();
  /** The slot is free and something waits, and still nothing could be claimed. */
  #blockedOnce = false;
  #turn: Turn | null = null;
  /** The interval after the current dispatch. */
  #intervalMs: number;

  constructor(options: DispatcherOptions) {
    this.#o = options;
    this.#intervalMs = intervalMs(options.pace(), 1);
    this.#acks = new Acknowledgements((waMessageId, outcome) => this.#write(waMessageId, outcome));
    this.#addressBook = new AddressBook({
      database: options.database,
      holding: options.holding,
      session: options.session,
      untilWritten: (work) => this.#untilWritten(work),
    });
  }

  start(): void {
    this.#running ??= this.#loop();
    this.wake();
  }

  /** Claims nothing more and resolves when what is being dispatched has its outcome. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.wake();
    await this.#running;
  }

  /** The line is down: claims nothing more, and what is unanswered stays open until {@link resume}. */
  pause(): void {
    this.#paused = true;
    this.#acks.lineDown();
  }

  /** The line is back. */
  resume(): void {
    this.#paused = false;
    this.#acks.lineUp();
    this.wake();
  }

  /** Is this message's claim stored and its outcome still awaited, so that it may leave? Asked at the gate. */
  async claimed(waMessageId: string): Promise<boolean> {
    const turn = this.#turn;
    return turn?.waMessageId === waMessageId && (await turn.claimed) && this.#turn === turn;
  }

  wake(): void {
    this.#sleeper.wake();
  }

  /** The session is gone: whatever was handed over may have left. */
  sessionLost(): void {
    this.#stopped = true;
    this.#acks.sessionLost();
    this.wake();
  }

  /** An acknowledgement arrived, for a message of now or of before. */
  ack(waMessageId: string, ack: number, code: number | null = null): Promise<void> {
    if (code !== null && this.#turn?.waMessageId === waMessageId) this.#turn.refusedWith = code;
    return this.#acks.take(waMessageId, ack, code);
  }

  /** A message that was handed over has certainly not left, and will not. */
  notSent(waMessageId: string, failure: SendError): Promise<void> {
    const recipient = this.#turn?.waMessageId === waMessageId ? this.#turn.message.recipient : null;
    this.#o.log.info({ waMessageId, reason: failure.reason }, 'message not sent');
    return this.#acks.refute(waMessageId, certainFailure(failure, { recipient }));
  }

  async #loop(): Promise<void> {
    let idle = false;
    while (!this.#stopped) {
      if (idle) await this.#sleeper.sleep(await this.#untilNextLook());
      if (this.#stopped) return;
      this.#sleeper.beginLooking();
      idle = !(await this.#dispatchNext());
    }
  }

  /** One slot. False when there was nothing to do, or its time has not come. */
  async #dispatchNext(): Promise<boolean> {
    const { database, holding, log } = this.#o;
    if (this.#paused || this.#throttledMs() > 0 || !this.#o.isHeld()) return false;
    try {
      this.#intervalMs = intervalMs(this.#o.pace(), Math.random());
      this.#turn = await takeSlot({
        ...{ database, holding, log, intervalMs: this.#intervalMs, pageBuild: this.#o.pageBuild() },
        untilWritten: (work) => this.#untilWritten(work),
      });
      if (!this.#turn) return false;
      this.#blockedOnce = false;
      this.#restartThrottle();
      await this.#send(this.#turn);
      return true;
    } catch (error) {
      log.error({ err: error, numberId: holding.numberId }, 'dispatch failed');
      return false;
    }
  }

  async #send(turn: Turn): Promise<void> {
    const { message, waMessageId, claimed } = turn;
    noteDispatch(message);
    const trace = { messageId: message.id, requestId: message.requestId };
    const claimedAtMs = performance.now();
    const acknowledged = this.#acks.expect(waMessageId, this.#o.ackTimeoutMs);
    const failure = await this.#handOver(message, waMessageId).then(
      () => null,
      (error: unknown) => toSendError(error),
    );
    if (!(await claimed)) {
      // The gate has held it back: it waits as before.
      acknowledged.cancel();
      this.#o.log.warn(trace, 'a claim was not stored');
      return;
    }
    if (failure?.certain) {
      this.#turn = null;
      acknowledged.cancel();
      this.#o.log.info({ ...trace, reason: failure.reason }, 'message not sent');
      await this.#write(waMessageId, certainFailure(failure, message));
      if (failure.reason === 'refused') this.#o.onRefused(message.recipient, failure.code);
      return;
    }
    if (failure) this.#o.log.warn({ err: failure, ...trace }, 'handing over ended unclear');
    const ack = await acknowledged.result;
    // Given up: whatever of it still waits in the page is held back there.
    this.#turn = null;
    const ackMs = performance.now() - claimedAtMs;
    if (typeof ack === 'number') metrics().dispatchToAck.observe(ackMs / 1000);
    this.#o.log.info({ ...trace, ack, ackMs: Math.round(ackMs) }, 'message dispatched');
    if (typeof ack === 'number' && ack < 0) this.#o.onRefused(message.recipient, turn.refusedWith ?? null);
    if (ack === 'lost') await this.#write(waMessageId, UNCONFIRMED);
    if (ack === 'silence') await this.#afterSilence(waMessageId);
    this.#restartThrottle();
  }

  async #handOver(message: ClaimedMessage, waMessageId: string): Promise<void> {
    const { database, session } = this.#o;
    await this.#addressBook.makeReachable(message);
    await session.send(this.#outgoing(message, waMessageId));
    void noteStep(database, { messageId: message.id, event: 'handed_over' }).catch(() => {});
  }

  async #afterSilence(waMessageId: string): Promise<void> {
    const { database, holding } = this.#o;
    await this.#write(waMessageId, UNCONFIRMED);
    await this.#o.onSilence();
    await delaySlot(database, holding, { intervalMs: this.#intervalMs });
  }

  async #write(waMessageId: string, outcome: OutcomeWrite): Promise<void> {
    const { database, holding } = this.#o;
    await this.#untilWritten(() =>
      writeOutcome(database, holding, { waMessageId, intervalMs: this.#intervalMs, ...outcome }),
    );
  }

  /** While the database is away it is tried again for as long as the lease may hold. */
  async #untilWritten<T>(work: () => Promise<T>): Promise<T> {
    const { holding, log } = this.#o;
    for (;;) {
      try {
        return await work();
      } catch (error) {
        log.warn({ err: error, numberId: holding.numberId }, 'the database cannot be written to yet');
        if (!this.#o.isHeld()) throw error;
        await setTimeoutAsync(WRITE_AGAIN_MS);
      }
    }
  }

  /** From now on the interval runs on the monotonic clock. */
  #restartThrottle(): void {
    this.#o.throttle.begin(this.#o.holding.numberId, this.#intervalMs);
  }

  #outgoing(message: ClaimedMessage, waMessageId: string): Outgoing {
    const media = isMedia(message.content)
      ? {
          file: this.#o.mediaFile(message.id),
          mimeType: message.mediaMimeType ?? 'application/octet-stream',
          bytes: message.mediaBytes ?? 0,
        }
      : null;
    const { id: messageId, recipient, content, requestId } = message;
    return { waMessageId, recipient, content, media, trace: { messageId, requestId } };
  }

  async #untilNextLook(): Promise<number> {
    const { database, holding, log } = this.#o;
    const { numberId } = holding;
    if (this.#paused) return Number.POSITIVE_INFINITY;
    try {
      const { waiting, slotInMs, contactInMs } = await readOutlook(database, { numberId });
      if (waiting === 0) {
        this.#blockedOnce = false;
        return Number.POSITIVE_INFINITY;
      }
      const longestMs = intervalMs(this.#o.pace(), 1);
      if (slotInMs > longestMs) await cutSlot(database, holding, { intervalMs: longestMs });
      const untilSlot = Math.max(
        Math.min(slotInMs, longestMs),
        this.#throttledMs(),
        Math.min(contactInMs, LOOK_MS_MAX),
      );
      if (untilSlot > 0) {
        this.#blockedOnce = false;
        return Math.ceil(untilSlot) + TIMER_SLACK_MS;
      }
      // The slot may have come between the claim and this look; only what a second claim finds waits for more.
      const again = this.#blockedOnce;
      this.#blockedOnce = true;
      return again ? SAFETY_MS : TIMER_SLACK_MS;
    } catch (error) {
      log.warn({ err: error, numberId }, 'the queue could not be read');
      return SAFETY_MS;
    }
  }

  #throttledMs(): number {
    return this.#o.throttle.leftMs(this.#o.holding.numberId, intervalMs(this.#o.pace(), 1));
  }
}

function noteDispatch({ lane, content, acceptedMsAgo, lateMs }: ClaimedMessage): void {
  if (acceptedMsAgo !== null) metrics().acceptedToDispatch.observe({ lane }, acceptedMsAgo / 1000);
  if (lateMs !== null && !isMedia(content)) metrics().slotLateness.observe(lateMs / 1000);
}

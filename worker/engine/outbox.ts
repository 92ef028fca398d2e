import type { Outgoing } from '#server/core/engine.ts';
import { SendError } from '#server/core/send-failures.ts';
import type { SeenDraft } from './drafts/draft.ts';
import { faultOf } from './drafts/index.ts';
import { forgetOldest } from './forget-oldest.ts';
import { HOOK_ERRORS } from './page/hook-errors.ts';
import type { PageReport } from './page/sending.ts';
import { errorAfterAdding, errorBeforeGate, errorOfJob } from './send-errors.ts';
import { asError, TimeoutError, withTimeout } from './timeout.ts';
import { newTransit, stepOf, type Transit } from './transit.ts';

/*
 * How the page sends a message, and where it can be stopped:
 *   1. The adapter's own code in the page builds the message and hands it to the page's sending (`dispatch`).
 *   2. Before the page adds the message to the chat, it asks at the gate (`openGate`): is it right, and may it still leave?
 *   3. A job of the page uploads the file and asks at its own gate (`mayWrite`) before it writes the stanza to the server.
 *   4. The server's answer comes by the job's report, by a stanza and by the library's event (`report`, `acknowledged`).
 * A failure before a gate is certain, and closes it. After the last gate the message may have been sent.
 */

export interface OutboxOptions {
  /** May this message be sent? Asked at the gate, and again if the page writes the stanza much later. */
  mayDispatch(waMessageId: string): Promise<boolean>;
  /** Without an answer within this time, in ms, the message is held back. */
  askMs: number;
  ack(waMessageId: string, ack: number, code: number | null): void;
  /** A message whose dispatch had resolved will definitely not be sent. */
  notSent(waMessageId: string, failure: SendError): void;
  /** The session has ended, and the page has a file that it has not sent, but may resume. */
  onFileWaits?(waMessageId: string): void;
  /** A message was acknowledged, and its job reported nothing. `asked`: the job at least reached its gate. */
  onJobSilent?(asked: boolean): void;
}

/** If a job asks this soon after the gate opened, the lease is not checked again. */
const FRESH_MS = 1_000;
/** How many messages are remembered. Older ones were answered or given up long ago. */
const KEPT_MAX = 500;
/** WhatsApp's server has refused the message. The page gives lower ones itself, as when it has lost the file. */
export const REFUSED = -1;
/** The group's addressing is outdated: the page fetches the group again and sends once more. */
const STALE_GROUP = 421;

/**
 * Dispatches messages through the page and decides for each whether it may have been sent. One per document of the page,
 * because documents can behave differently.
 */
export class Outbox {
  readonly #o: OutboxOptions;
  readonly #transits = new Map<string, Transit>();
  /** Messages that passed the gate and are neither acknowledged nor failed. */
  readonly #unanswered = new Set<string>();
  /** The highest acknowledgement of each remembered message. */
  readonly #acks = new Map<string, number>();
  /** Jobs of this document ask at their gate, so a message whose job has not asked was not sent. */
  #jobIsGated = false;
  /** False once the page has bypassed the gate. */
  #trusted = true;
  #over = false;

  constructor(options: OutboxOptions) {
    this.#o = options;
  }

  /**
   * Builds and sends the message with `submit`. Resolves when the page has accepted the message, rejects with {@link SendError}. A
   * message that fails before the gate opened is not sent later either.
   */
  async dispatch(message: Outgoing, limitMs: number, submit: () => Promise<unknown>): Promise<void> {
    const id = message.waMessageId;
    const earlier = this.#transits.get(id);
    // It may be dispatched again if the gate has held it back because its claim was not committed.
    if (earlier && (earlier.submitting || earlier.open))
      throw new SendError(false, 'page', 'this message has been dispatched already');
    const transit = newTransit(message);
    this.#keep(id, transit);
    try {
      await withTimeout(limitMs, 'the dispatch', submit());
      if (!transit.open) {
        this.distrust();
        throw new Error('the page did not ask at the gate');
      }
      if (transit.failure) throw transit.failure;
    } catch (thrown) {
      const failure = this.#failedDispatch(id, transit, asError(thrown));
      failure.step ??= stepOf(transit);
      throw failure;
    } finally {
      transit.submitting = false;
    }
  }

  /** Answers the page's question at the gate. `seen`: the message, as the page has built it. */
  async openGate(id: string, seen: SeenDraft): Promise<boolean> {
    const transit = this.#transits.get(id);
    if (!transit?.submitting || transit.asked || this.#over) return false;
    transit.asked = true;
    const fault = faultOf(transit.type, seen, id);
    if (fault !== null) {
      transit.failure = new SendError(true, 'draft', `WhatsApp Web built the message wrongly: ${fault}`);
      return false;
    }
    const allowed = await this.#ask(id);
    transit.fenced = !allowed;
    // The message may have been given up meanwhile.
    if (!allowed || transit.failure || !transit.submitting || this.#over) return false;
    transit.open = true;
    transit.openedAtMs = performance.now();
    this.#unanswered.add(id);
    return true;
  }

  /** Answers the job that is about to write the stanza, possibly long after the message passed the gate. */
  async mayWrite(id: string): Promise<boolean> {
    this.#jobIsGated = true;
    const transit = this.#transits.get(id);
    if (!transit?.open || transit.failure || this.#over) return false;
    const fresh = performance.now() - transit.openedAtMs < FRESH_MS;
    if (!fresh && !(await this.#ask(id))) return false;
    if (transit.failure || this.#over) return false;
    transit.written = true;
    transit.writing += 1;
    return true;
  }

  /** Handles the page's report on a message. */
  report(id: string, report: PageReport): void {
    const transit = this.#transits.get(id);
    if (report.step !== 'ack' && report.step !== 'over') {
      if (transit?.open) this.#settle(id, transit, report);
      return;
    }
    this.#note(id, report.ack, null);
    // The job ends before the page reports the message as over.
    if (report.step === 'over' && transit?.open && !transit.answered) this.#o.onJobSilent?.(transit.written);
  }

  /**
   * The session is over: both gates close. A message whose job has not passed its gate was not sent. The next document may
   * resume one with a file: its failure is certain once that is held back.
   */
  end(): void {
    this.#over = true;
    if (!this.#jobIsGated || !this.#trusted) return;
    for (const [id, transit] of this.#transits) {
      if (!transit.open || transit.written || transit.failure) continue;
      if (transit.withMedia) this.#o.onFileWaits?.(id);
      else
        this.#fail(
          id,
          transit,
          new SendError(true, 'disconnected', 'the session ended before it was written'),
        );
    }
  }

  /**
   * The time for an acknowledgement is over: stops a message whose job has not passed its gate, and returns its failure.
   * It is not certain if the message may have been sent.
   */
  giveUp(id: string): SendError {
    const transit = this.#transits.get(id);
    const waits = transit?.open && this.#trusted && this.#waitsAtJob(transit) && !this.#acks.has(id);
    const failure =
      waits && !transit.failure
        ? this.#close(id, transit, new SendError(true, 'late', 'its job did not start in time'))
        : new SendError(false, 'timeout', transit?.said ?? 'no answer in time');
    failure.step = transit ? stepOf(transit) : null;
    return failure;
  }

  /** The page does not behave as in its self-test: from now on no failure is certain. */
  distrust(): void {
    this.#trusted = false;
  }

  /** Messages that passed the gate without an answer: a reason to doubt the connection. */
  unanswered(): string[] {
    return [...this.#unanswered];
  }

  /** The connection has worked since these messages passed the gate. */
  forgetUnanswered(ids: readonly string[]): void {
    for (const id of ids) this.#unanswered.delete(id);
  }

  /** Records an acknowledgement, from the library's event or the server's stanza. */
  acknowledged(id: string, ack: number, code: number | null = null): void {
    // Only the job's report shows whether the page sends the message once more.
    if (code !== STALE_GROUP || !this.#transits.get(id)?.toGroup) this.#note(id, ack, code);
  }

  #settle(id: string, transit: Transit, report: Exclude<PageReport, { step: 'ack' | 'over' }>): void {
    if ('error' in report && typeof report.error === 'string') transit.said = report.error;
    switch (report.step) {
      case 'refused':
        this.acknowledged(id, -1, report.error);
        break;
      case 'job':
        this.#jobAnswered(id, transit, report.error);
        break;
      case 'jobFailed':
        this.#jobFailed(id, transit, report);
        break;
      case 'notAdded':
        this.#fail(id, transit, errorAfterAdding(report.error, 'storage'));
        break;
      case 'notSent': {
        const failure = errorAfterAdding(report.error, 'page');
        // Without the gate in the job it is unknown whether the stanza was written.
        if (failure.reason === 'contact_blocked' || this.#jobIsGated) this.#fail(id, transit, failure);
        break;
      }
      case 'flagged':
        // The page also flags a message whose connection ended while the stanza was written.
        if (this.#jobIsGated)
          this.#fail(
            id,
            transit,
            new SendError(
              true,
              transit.written ? 'page' : 'late',
              transit.said ?? 'the page marked it as failed',
            ),
          );
        break;
      default:
        report satisfies never;
    }
  }

  /** The highest acknowledgement counts, from any source. */
  #note(id: string, ack: number, code: number | null): void {
    const transit = this.#transits.get(id);
    if (ack === 0 || ack <= (this.#acks.get(id) ?? Number.NEGATIVE_INFINITY)) return;
    // A message of an earlier document may have left before this page gave it up.
    if (ack < REFUSED || (ack < 0 && !transit)) return;
    this.#remember(id, ack);
    this.#unanswered.delete(id);
    if (transit && ack < 0) {
      transit.failure = new SendError(true, 'refused', 'refused by the server', { code, step: 'answered' });
    }
    this.#o.ack(id, ack, code);
  }

  #jobAnswered(id: string, transit: Transit, code: number | null): void {
    transit.writing = 0;
    transit.answered = true;
    const once = code === STALE_GROUP && transit.toGroup && !transit.resends;
    if (once) transit.resends = true;
    else this.#note(id, code === null ? 1 : -1, code);
  }

  /** If this job certainly wrote nothing, an earlier job of the message still may have. */
  #jobFailed(id: string, transit: Transit, { error, through }: { error: string; through: boolean }): void {
    const failure = errorOfJob(error, { through });
    if (!failure.certain) return;
    if (through) transit.writing = Math.max(0, transit.writing - 1);
    this.#fail(id, transit, failure);
  }

  /**
   * Marks a message as certainly not sent, unless it may have been. `dispatch` reports the failure while the
   * library's call runs, `notSent` afterwards.
   */
  #fail(id: string, transit: Transit, failure: SendError): void {
    if (!this.#trusted || transit.failure || transit.writing > 0 || (this.#acks.get(id) ?? 0) > 0) return;
    failure.step = stepOf(transit);
    transit.failure = failure;
    this.#unanswered.delete(id);
    if (!transit.submitting) this.#o.notSent(id, failure);
  }

  #waitsAtJob(transit: Transit): boolean {
    return this.#jobIsGated && !transit.written;
  }

  #failedDispatch(id: string, transit: Transit, error: Error): SendError {
    if (transit.failure) return transit.failure;
    if (!this.#trusted) return new SendError(false, 'page', error.message, { cause: error });
    if (!transit.open) return this.#close(id, transit, errorBeforeGate(transit, error));
    const timeout = error instanceof TimeoutError;
    const notAdded = error.message.includes(HOOK_ERRORS.notAdded) && !transit.written;
    if (notAdded) return this.#close(id, transit, errorAfterAdding(error.message, 'storage'));
    const reason = timeout ? 'timeout' : 'page';
    const waits = timeout && this.#waitsAtJob(transit);
    const failure = new SendError(waits, reason, error.message, { cause: error });
    return waits ? this.#close(id, transit, failure) : failure;
  }

  /** Keeps both gates closed for the message. */
  #close(id: string, transit: Transit, failure: SendError): SendError {
    transit.failure = failure;
    this.#unanswered.delete(id);
    return failure;
  }

  #ask(id: string): Promise<boolean> {
    return withTimeout(this.#o.askMs, 'the fence', this.#o.mayDispatch(id)).catch(() => false);
  }

  #keep(id: string, transit: Transit): void {
    this.#transits.set(id, transit);
    forgetOldest(this.#transits, KEPT_MAX);
  }

  #remember(id: string, ack: number): void {
    this.#acks.set(id, ack);
    forgetOldest(this.#acks, KEPT_MAX);
  }
}

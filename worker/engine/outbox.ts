import type { Outgoing } from '#server/core/engine.ts';
import { isMedia } from '#server/core/message.ts';
import { isGroup } from '#server/core/recipient.ts';
import { SendError } from '#server/core/send-failures.ts';
import { asError, DeadlineError, within } from './deadline.ts';
import { type PageReport, WORDS } from './page-sending.ts';
import { afterAdding, beforeGate, ofJob } from './send-errors.ts';

/** One message on its way through the page. */
interface Passage {
  readonly toGroup: boolean;
  readonly withMedia: boolean;
  /** It is being handed over: the library has not come back from it yet. */
  handing: boolean;
  asked: boolean;
  /** The gate has opened: from here on it may have left, unless the gate in the job was never passed. */
  open: boolean;
  openedAtMs: number;
  fenced: boolean;
  /** Jobs that were let through to write the stanza and have not ended. */
  writing: number;
  /** A job was let through. */
  written: boolean;
  /** Its job has said what the server answered. */
  answered: boolean;
  /** The page sends a group's message once more after this refusal. */
  resends: boolean;
  /** Certain and reported: nothing of it passes any more. */
  failure: SendError | null;
}

export interface OutboxOptions {
  /** May this message go out? Asked at the gate, and again where the page comes to write it later than that. */
  mayDispatch(waMessageId: string): Promise<boolean>;
  /** A question at the gate that is not answered within this time, in ms, is answered by no. */
  askMs: number;
  ack(waMessageId: string, ack: number, code: number | null): void;
  /** A message that was handed over will certainly not leave any more. */
  notSent(waMessageId: string, failure: SendError): void;
  /** A message was acknowledged whose job had said nothing. `asked`: the job had at least come to its gate. */
  onJobUnheard?(asked: boolean): void;
}

/** So long the answer at the gate holds for the writing of the stanza as well. */
const FRESH_MS = 1_000;
/** Messages remembered; older ones have long been answered or given up. */
const KEPT_MAX = 500;
/** The group's addressing is out of date: the page fetches the group again and sends once more. */
const STALE_GROUP = 421;

/**
 * Hands messages over and knows of each, whatever goes wrong, whether it may have left. One for each document: what
 * it knows of the page's ways holds for that alone.
 */
export class Outbox {
  readonly #o: OutboxOptions;
  readonly #passages = new Map<string, Passage>();
  /** Left through the gate, and not heard of since. */
  readonly #silent = new Set<string>();
  /** The highest acknowledgement of each message, as far as it is remembered. */
  readonly #acks = new Map<string, number>();
  /** The page has come to the gate in its job, so a message that has not cannot have left. */
  #jobIsGated = false;
  /** False once the page turned out to go other ways than the proven one. */
  #trusted = true;
  #over = false;

  constructor(options: OutboxOptions) {
    this.#o = options;
  }

  /**
   * Lets `submit` give a message to the library. Resolves when the page has taken it, rejects with
   * {@link SendError}. A message given up before it was let through will not leave later either: the gates
   * know only what is being waited for.
   */
  async hand(message: Outgoing, limitMs: number, submit: () => Promise<unknown>): Promise<void> {
    const id = message.waMessageId;
    if (this.#passages.has(id))
      throw new SendError(true, 'page', 'this message has been handed over already');
    const passage = newPassage(message);
    this.#keep(id, passage);
    try {
      await within(limitMs, 'handing over', submit());
      // Where the library finds no chat it resolves without a word, and nothing was sent.
      // Upstream: #201857 (docs/upstream.md)
      if (!passage.open) throw new Error('Chat not found');
      if (passage.failure) throw passage.failure;
    } catch (thrown) {
      throw this.#giveUp(id, passage, asError(thrown));
    } finally {
      passage.handing = false;
    }
  }

  /** The page's question at the gate. */
  async mayDispatch(id: string): Promise<boolean> {
    const passage = this.#passages.get(id);
    if (!passage?.handing || passage.asked || this.#over) return false;
    passage.asked = true;
    const allowed = await this.#ask(id);
    passage.fenced = !allowed;
    // It may have been given up while the answer was on its way.
    if (!allowed || passage.failure || !passage.handing || this.#over) return false;
    passage.open = true;
    passage.openedAtMs = performance.now();
    this.#silent.add(id);
    return true;
  }

  /** The page's question in the job that is about to write the stanza, however late that is. */
  async mayWrite(id: string): Promise<boolean> {
    this.#jobIsGated = true;
    const passage = this.#passages.get(id);
    if (!passage?.open || passage.failure || this.#over) return false;
    const fresh = performance.now() - passage.openedAtMs < FRESH_MS;
    if (!fresh && !(await this.#ask(id))) return false;
    if (passage.failure || this.#over) return false;
    passage.written = true;
    passage.writing += 1;
    return true;
  }

  /** What the page says of a message. */
  report(id: string, report: PageReport): void {
    const passage = this.#passages.get(id);
    if (report.step !== 'ack' && report.step !== 'over') {
      if (passage?.open) this.#settle(id, passage, report);
      return;
    }
    this.#note(id, report.ack, null);
    // The job is over before the message is.
    if (report.step === 'over' && passage?.open && !passage.answered) this.#o.onJobUnheard?.(passage.written);
  }

  /**
   * The session is over: nothing passes any more, and what no job was let through for has not left. With a file it
   * stays open: the page has ways of its own to take uploads up again.
   */
  end(): void {
    this.#over = true;
    if (!this.#jobIsGated) return;
    for (const [id, passage] of this.#passages) {
      if (!passage.open || passage.written || passage.withMedia) continue;
      this.#fail(id, passage, new SendError(true, 'disconnected', 'the session ended before it was written'));
    }
  }

  /** The page goes other ways than those that were proven: from now on no failure is certain. */
  distrust(): void {
    this.#trusted = false;
  }

  /** The messages that have left and of which nothing was heard: reason to doubt the connection. */
  silent(): string[] {
    return [...this.#silent];
  }

  /** The connection has proved good since these left. */
  trust(ids: readonly string[]): void {
    for (const id of ids) this.#silent.delete(id);
  }

  /** An acknowledgement, from the library's event or the server's stanza. */
  acknowledged(id: string, ack: number, code: number | null = null): void {
    // Whether the page sends it once more is known from its job.
    if (code !== STALE_GROUP || !this.#passages.get(id)?.toGroup) this.#note(id, ack, code);
  }

  #settle(id: string, passage: Passage, report: Exclude<PageReport, { step: 'ack' | 'over' }>): void {
    switch (report.step) {
      case 'refused':
        this.acknowledged(id, -1, report.error);
        break;
      case 'job':
        this.#jobAnswered(id, passage, report.error);
        break;
      case 'jobFailed':
        this.#jobFailed(id, passage, report.error);
        break;
      case 'notAdded':
        this.#fail(id, passage, afterAdding(report.error, 'storage'));
        break;
      case 'notSent': {
        const failure = afterAdding(report.error, 'page');
        // Without the gate in its job nobody knows whether the page had come that far.
        if (failure.reason === 'contact_blocked' || this.#jobIsGated) this.#fail(id, passage, failure);
        break;
      }
      case 'flagged':
        this.#fail(id, passage, new SendError(true, 'page', 'the page marked it as failed'));
        break;
      default:
        report satisfies never;
    }
  }

  /** The highest acknowledgement counts, wherever it comes from. */
  #note(id: string, ack: number, code: number | null): void {
    const passage = this.#passages.get(id);
    if (ack === 0 || ack <= (this.#acks.get(id) ?? Number.NEGATIVE_INFINITY)) return;
    this.#remember(id, ack);
    this.#silent.delete(id);
    if (passage && ack < 0) {
      passage.failure = new SendError(true, 'refused', 'refused by the server', { code });
    }
    this.#o.ack(id, ack, code);
  }

  #jobAnswered(id: string, passage: Passage, code: number | null): void {
    passage.writing = 0;
    passage.answered = true;
    const once = code === STALE_GROUP && passage.toGroup && !passage.resends;
    if (once) passage.resends = true;
    else this.#note(id, code === null ? 1 : -1, code);
  }

  /** Nothing was written by this job, as far as its words say. What an earlier one has written stays open. */
  #jobFailed(id: string, passage: Passage, text: string): void {
    const failure = ofJob(text);
    if (!failure.certain) return;
    const letThrough = failure.reason !== 'late' && !text.includes(WORDS.noLine);
    if (letThrough) passage.writing = Math.max(0, passage.writing - 1);
    this.#fail(id, passage, failure);
  }

  /** Certain: from now on nothing of it passes. While it is being handed over that says so. */
  #fail(id: string, passage: Passage, failure: SendError): void {
    if (!this.#trusted || passage.failure || passage.writing > 0 || (this.#acks.get(id) ?? 0) > 0) return;
    passage.failure = failure;
    this.#silent.delete(id);
    if (!passage.handing) this.#o.notSent(id, failure);
  }

  #giveUp(id: string, passage: Passage, error: Error): SendError {
    if (passage.failure) return passage.failure;
    if (!this.#trusted) return new SendError(false, 'page', error.message, { cause: error });
    if (!passage.open) return this.#close(id, passage, beforeGate(passage, error));
    const timeout = error instanceof DeadlineError;
    const notAdded = error.message.includes(WORDS.notAdded) && !passage.written;
    if (notAdded) return this.#close(id, passage, afterAdding(error.message, 'storage'));
    const reason = timeout ? 'timeout' : 'page';
    const waits = timeout && this.#jobIsGated && !passage.written;
    const failure = new SendError(waits, reason, error.message, { cause: error });
    return waits ? this.#close(id, passage, failure) : failure;
  }

  /** Whatever of it is still on its way finds the gates shut. */
  #close(id: string, passage: Passage, failure: SendError): SendError {
    passage.failure = failure;
    this.#silent.delete(id);
    return failure;
  }

  #ask(id: string): Promise<boolean> {
    return within(this.#o.askMs, 'the fence', this.#o.mayDispatch(id)).catch(() => false);
  }

  #keep(id: string, passage: Passage): void {
    this.#passages.set(id, passage);
    forgetOldest(this.#passages);
  }

  #remember(id: string, ack: number): void {
    this.#acks.set(id, ack);
    forgetOldest(this.#acks);
  }
}

function forgetOldest(kept: Map<string, unknown>): void {
  const oldest = kept.keys().next();
  if (kept.size > KEPT_MAX && !oldest.done) kept.delete(oldest.value);
}

function newPassage({ recipient, content }: Outgoing): Passage {
  return {
    toGroup: isGroup(recipient),
    withMedia: isMedia(content),
    handing: true,
    asked: false,
    open: false,
    openedAtMs: 0,
    fenced: false,
    writing: 0,
    written: false,
    answered: false,
    resends: false,
    failure: null,
  };
}

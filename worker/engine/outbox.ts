import { type Outgoing, SendError } from '#server/core/engine.ts';
import { isMedia } from '#server/core/message.ts';
import { asError, DeadlineError, within } from './deadline.ts';

/** One message on its way through the page's gate. */
interface Passage {
  asked: boolean;
  /** The gate has opened: from here on it may have left. */
  open: boolean;
  fenced: boolean;
  refused: boolean;
}

export interface OutboxOptions {
  /** May this message go out? Asked at the gate, the last point before it leaves. */
  mayDispatch(waMessageId: string): Promise<boolean>;
  /** A question at the gate that is not answered within this time, in ms, is answered by no. */
  askMs: number;
  ack(waMessageId: string, ack: number, code: number | null): void;
}

/** Hands messages over and knows of each, whatever goes wrong, whether it may have left. */
export class Outbox {
  readonly #o: OutboxOptions;
  readonly #passages = new Map<string, Passage>();
  /** Left through the gate, and not heard of since. */
  readonly #silent = new Set<string>();

  constructor(options: OutboxOptions) {
    this.#o = options;
  }

  /**
   * Lets `submit` give a message to the library. Resolves when the page has taken it, rejects with
   * {@link SendError}. A message given up before the gate has opened will not leave later either: the gate
   * knows only what is being waited for.
   */
  async hand(message: Outgoing, limitMs: number, submit: () => Promise<unknown>): Promise<void> {
    const id = message.waMessageId;
    if (this.#passages.has(id))
      throw new SendError(true, 'page', 'this message is being handed over already');
    const passage: Passage = { asked: false, open: false, fenced: false, refused: false };
    this.#passages.set(id, passage);
    try {
      await within(limitMs, 'handing over', submit());
      // Where the library finds no chat it resolves without a word, and nothing was sent.
      if (!passage.open) throw new Error('Chat not found');
      if (passage.refused) throw new Error('refused by the server');
    } catch (thrown) {
      throw sendError(passage, asError(thrown), isMedia(message.content));
    } finally {
      this.#passages.delete(id);
    }
  }

  /** The page's question at the gate. */
  async mayDispatch(id: string): Promise<boolean> {
    const passage = this.#passages.get(id);
    if (!passage || passage.asked) return false;
    passage.asked = true;
    const allowed = await within(this.#o.askMs, 'the fence', this.#o.mayDispatch(id)).catch(() => false);
    passage.fenced = !allowed;
    // It may have been given up while the answer was on its way.
    if (!allowed || this.#passages.get(id) !== passage) return false;
    passage.open = true;
    this.#silent.add(id);
    return true;
  }

  /** The messages that have left and of which nothing was heard: reason to doubt the connection. */
  silent(): string[] {
    return [...this.#silent];
  }

  /** The connection has proved good since these left. */
  trust(ids: readonly string[]): void {
    for (const id of ids) this.#silent.delete(id);
  }

  /** An acknowledgement, from the library's event or from the page's own send result. */
  acknowledged(id: string, ack: number, code: number | null = null): void {
    const passage = this.#passages.get(id);
    if (ack === 0) return; // added to the page, nothing more
    if (passage && ack < 0) passage.refused = true;
    this.#silent.delete(id);
    this.#o.ack(id, ack, code);
  }
}

/** Failures that only come about while the page looks for the recipient. */
const RECIPIENT = /No LID for user|Chat not found|invalid wid/i;
/** The page itself went away under the call. */
const PAGE_GONE = /Target closed|Session closed|Connection closed|context was destroyed|detached|crashed/i;

function sendError(passage: Passage, error: Error, withMedia: boolean): SendError {
  const failed = (certain: boolean, reason: SendError['reason']) =>
    new SendError(certain, reason, error.message, { cause: error });
  if (passage.refused) return failed(true, 'refused');
  const timeout = error instanceof DeadlineError;
  if (passage.open) return failed(false, timeout ? 'timeout' : 'page');
  if (passage.fenced) return failed(true, 'fenced');
  if (timeout) return failed(true, 'timeout');
  if (RECIPIENT.test(error.message)) return failed(true, 'recipient_unknown');
  return failed(true, withMedia && !PAGE_GONE.test(error.message) ? 'media' : 'page');
}

import { statusOfAck } from '#server/core/message-state.ts';
import type { Recipient } from '#server/core/recipient.ts';
import type { OutcomeWrite } from '#server/messages/queries/dispatch.ts';
import { forgetOldest } from '../../engine/forget-oldest.ts';
import { outcomeOfAck } from './dispatch-outcomes.ts';

/** How many acknowledgements are remembered, to recognise duplicates. */
const REMEMBERED_MAX = 200;

/** The deciding ack; `not_sent`: definitely not sent; `lost`: the session ended; `silence`: no ack in time. */
export type Verdict = number | 'not_sent' | 'lost' | 'silence';

/** Stores the outcomes that acknowledgements decide, and passes them to the dispatch that waits for one. */
export class Acknowledgements {
  readonly #write: (waMessageId: string, outcome: OutcomeWrite) => Promise<void>;
  readonly #waiting = new Map<string, (verdict: Verdict) => void>();
  /** The last acknowledgement of each remembered message. */
  readonly #last = new Map<string, number>();
  /** Set while disconnected: the waits whose time ran out, to be started again after the reconnection. */
  #overdue: (() => void)[] | null = null;

  constructor(write: (waMessageId: string, outcome: OutcomeWrite) => Promise<void>) {
    this.#write = write;
  }

  /** Records an acknowledgement, of the current message or an earlier one, whose recipient is not known. */
  async record(
    waMessageId: string,
    ack: number,
    code: number | null = null,
    recipient: Recipient | null = null,
  ): Promise<void> {
    const status = statusOfAck(ack);
    // The page reports most acknowledgements twice: in its own result and in the library's event.
    if (status === null || this.#last.get(waMessageId) === ack) return;
    this.#remember(waMessageId, ack);
    try {
      await this.#write(waMessageId, outcomeOfAck(status, code, recipient));
    } catch (error) {
      this.#last.delete(waMessageId);
      throw error;
    }
    this.#waiting.get(waMessageId)?.(ack);
  }

  async recordNotSent(waMessageId: string, outcome: OutcomeWrite): Promise<void> {
    const settle = this.#waiting.get(waMessageId);
    // Removed before the write: a session that is lost during the write must not make the outcome unknown.
    this.#waiting.delete(waMessageId);
    let verdict: Verdict = 'lost';
    try {
      await this.#write(waMessageId, outcome);
      verdict = 'not_sent';
    } finally {
      settle?.(verdict);
    }
  }

  /** Waits for the verdict on a message; `silence` after `timeoutMs`. */
  waitFor(waMessageId: string, timeoutMs: number): { result: Promise<Verdict>; cancel(): void } {
    let settle: (verdict: Verdict) => void = () => {};
    const result = new Promise<Verdict>((resolve) => {
      let timer: NodeJS.Timeout | undefined;
      settle = (verdict) => {
        clearTimeout(timer);
        this.#waiting.delete(waMessageId);
        resolve(verdict);
      };
      this.#waiting.set(waMessageId, settle);
      const wait = () => {
        if (this.#waiting.get(waMessageId) !== settle) return;
        timer = setTimeout(() => {
          if (this.#overdue) this.#overdue.push(wait);
          else if (this.#waiting.get(waMessageId) === settle) settle('silence');
        }, timeoutMs);
      };
      wait();
    });
    return { result, cancel: () => settle('lost') };
  }

  /** Disconnected: nothing counts as silence before {@link resume}. */
  pause(): void {
    this.#overdue ??= [];
  }

  /** Reconnected: waits whose time ran out while disconnected start again with their full time. */
  resume(): void {
    const overdue = this.#overdue ?? [];
    this.#overdue = null;
    for (const wait of overdue) wait();
  }

  /** The session ended: ends every wait. */
  sessionLost(): void {
    for (const settle of this.#waiting.values()) settle('lost');
  }

  #remember(waMessageId: string, ack: number): void {
    this.#last.delete(waMessageId);
    this.#last.set(waMessageId, ack);
    forgetOldest(this.#last, REMEMBERED_MAX);
  }
}

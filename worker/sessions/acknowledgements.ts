import { statusOfAck } from '#server/core/message-state.ts';
import type { OutcomeWrite } from '#server/messages/queries/dispatch.ts';
import { outcomeOf } from './dispatch-outcomes.ts';

/** Acknowledgements remembered, to know the ones that come twice. */
const TOLD_MAX = 200;

/** The deciding ack; `not_sent` when it cannot leave any more, `lost` with the session, `silence` when none came in time. */
export type Verdict = number | 'not_sent' | 'lost' | 'silence';

/** Writes down what acknowledgements say of messages, and tells it to the dispatch that waits for one. */
export class Acknowledgements {
  readonly #write: (waMessageId: string, outcome: OutcomeWrite) => Promise<void>;
  readonly #waiting = new Map<string, (verdict: Verdict) => void>();
  /** The last acknowledgement of each message, as far as it is remembered. */
  readonly #told = new Map<string, number>();
  /** While the line is down nothing counts as silence: what would have ended the wait then, for when it is back. */
  #overdue: (() => void)[] | null = null;

  constructor(write: (waMessageId: string, outcome: OutcomeWrite) => Promise<void>) {
    this.#write = write;
  }

  /** An acknowledgement arrived, for a message of now or of before. */
  async take(waMessageId: string, ack: number, code: number | null = null): Promise<void> {
    const status = statusOfAck(ack);
    // The page tells most of them twice: by its own result, and by the library's event.
    if (status === null || this.#told.get(waMessageId) === ack) return;
    this.#remember(waMessageId, ack);
    try {
      await this.#write(waMessageId, outcomeOf(status, code));
    } catch (error) {
      this.#told.delete(waMessageId);
      throw error;
    }
    this.#waiting.get(waMessageId)?.(ack);
  }

  /** What was handed over has not left, and will not. */
  async refute(waMessageId: string, outcome: OutcomeWrite): Promise<void> {
    const settle = this.#waiting.get(waMessageId);
    // A session that is lost meanwhile does not make it unknown.
    this.#waiting.delete(waMessageId);
    let verdict: Verdict = 'lost';
    try {
      await this.#write(waMessageId, outcome);
      verdict = 'not_sent';
    } finally {
      settle?.(verdict);
    }
  }

  /** Resolves to the deciding ack, `lost` with the session, `silence` after the time-out. */
  expect(waMessageId: string, timeoutMs: number): { result: Promise<Verdict>; cancel(): void } {
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

  /** The line is down: nothing counts as silence before {@link lineUp}. */
  lineDown(): void {
    this.#overdue ??= [];
  }

  /** The line is back: what waited too long meanwhile gets its whole time again. */
  lineUp(): void {
    const overdue = this.#overdue ?? [];
    this.#overdue = null;
    for (const wait of overdue) wait();
  }

  /** The session is gone: nobody waits any longer. */
  sessionLost(): void {
    for (const settle of this.#waiting.values()) settle('lost');
  }

  #remember(waMessageId: string, ack: number): void {
    this.#told.delete(waMessageId);
    this.#told.set(waMessageId, ack);
    const oldest = this.#told.keys().next();
    if (this.#told.size > TOLD_MAX && !oldest.done) this.#told.delete(oldest.value);
  }
}

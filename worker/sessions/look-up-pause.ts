import { lookUpPauseMs } from '#server/core/new-contacts.ts';

/**
 * Whether a number's page may ask who is on WhatsApp: not for a while after WhatsApp refused such a question, each
 * time twice as long. By this process's own clock; it outlives the session.
 */
export class LookUpPause {
  readonly #nowMs: () => number;
  #refusals = 0;
  #untilMs = Number.NEGATIVE_INFINITY;

  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  get holds(): boolean {
    return this.#nowMs() < this.#untilMs;
  }

  refused(): void {
    this.#untilMs = this.#nowMs() + lookUpPauseMs(this.#refusals);
    this.#refusals += 1;
  }

  answered(): void {
    this.#refusals = 0;
  }
}

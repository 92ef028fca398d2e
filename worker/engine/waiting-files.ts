import { forgetOldest } from './forget-oldest.ts';

/** How many are remembered. A page resumes at the next start of its number, or never. */
const KEPT_MAX = 1_000;

/** Messages with a file that a session left in its page and that were not written, by WhatsApp ID. */
export class WaitingFiles {
  readonly #ids = new Set<string>();

  add(waMessageId: string): void {
    this.#ids.add(waMessageId);
    forgetOldest(this.#ids, KEPT_MAX);
  }

  /** Whether it was there. */
  delete(waMessageId: string): boolean {
    return this.#ids.delete(waMessageId);
  }
}

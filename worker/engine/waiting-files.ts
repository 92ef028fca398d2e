/** How many are remembered. A page resumes at the next start of its number, or never. */
const KEPT_MAX = 1_000;

/** Messages with a file that a session left in its page and that were not written, by WhatsApp ID. */
export class WaitingFiles {
  readonly #ids = new Set<string>();

  add(waMessageId: string): void {
    this.#ids.add(waMessageId);
    const [oldest] = this.#ids;
    if (this.#ids.size > KEPT_MAX && oldest !== undefined) this.#ids.delete(oldest);
  }

  /** Whether it was there. */
  delete(waMessageId: string): boolean {
    return this.#ids.delete(waMessageId);
  }
}

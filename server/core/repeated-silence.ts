/** This many messages in a row that the page never began to send show that it does not send. */
const NOT_STARTED_MAX = 2;
/** The same for messages without any outcome. */
const SILENT_MAX = 3;

/**
 * Messages in a row that WhatsApp's server did not answer, although the page answers pings. Such a page looks connected
 * and sends nothing.
 */
export class RepeatedSilence {
  /** By WhatsApp ID, whether the page began to send them. */
  readonly #row = new Map<string, boolean>();
  #hasSent = false;

  /** True once these messages show that the page does not send. `started`: the page may have sent this one. */
  add(waMessageId: string, { started }: { started: boolean }): boolean {
    this.#row.set(waMessageId, started);
    const last = [...this.#row.values()].slice(-NOT_STARTED_MAX);
    const noneStarted = last.length === NOT_STARTED_MAX && !last.includes(true);
    return noneStarted || this.#row.size >= SILENT_MAX;
  }

  /** WhatsApp's server has answered a message of this session, also one that was silent so far. */
  answered(): void {
    this.#row.clear();
    this.#hasSent = true;
  }

  includes(waMessageId: string): boolean {
    return this.#row.has(waMessageId);
  }

  /** WhatsApp's server has answered at least one message. */
  get hasSent(): boolean {
    return this.#hasSent;
  }
}

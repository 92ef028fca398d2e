/** Runs tasks one after the other, in the order of posting. A task that fails does not hold up the next. */
export class Mailbox {
  readonly #onError: (error: unknown) => void;
  #last: Promise<void> = Promise.resolve();

  constructor(onError: (error: unknown) => void) {
    this.#onError = onError;
  }

  /** Resolves when the task is over, whatever came of it. */
  run(task: () => Promise<void>): Promise<void> {
    this.#last = this.#last.then(task).catch((error: unknown) => this.#onError(error));
    return this.#last;
  }
}

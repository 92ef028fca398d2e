/** Does its work at most once in `everyMs`. A request that comes sooner is met when the time is over. */
export class AtMostEvery {
  readonly #everyMs: number;
  readonly #work: () => void;
  #doneAtMs = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;

  constructor(everyMs: number, work: () => void) {
    this.#everyMs = everyMs;
    this.#work = work;
  }

  request(): void {
    const waitMs = this.#doneAtMs + this.#everyMs - performance.now();
    if (waitMs <= 0) this.#do();
    else this.#timer ??= setTimeout(() => this.#do(), waitMs).unref();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #do(): void {
    this.stop();
    this.#doneAtMs = performance.now();
    this.#work();
  }
}

/** Runs its work at most once per `everyMs`. A request that comes sooner is delayed until then. */
export class Throttle {
  readonly #everyMs: number;
  readonly #work: () => void;
  #ranAtMs = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;

  constructor(everyMs: number, work: () => void) {
    this.#everyMs = everyMs;
    this.#work = work;
  }

  request(): void {
    const waitMs = this.#ranAtMs + this.#everyMs - performance.now();
    if (waitMs <= 0) this.#run();
    else this.#timer ??= setTimeout(() => this.#run(), waitMs).unref();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #run(): void {
    this.stop();
    this.#ranAtMs = performance.now();
    this.#work();
  }
}

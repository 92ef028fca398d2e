const PROBE_EVERY_MS = 5000;
const PROBE_AGAIN_MS = 1000;
const MISSES = 2;

interface SessionWatchOptions {
  probe(): Promise<boolean>;
  /** The page may be too busy to answer: then failed probes do not count. */
  isBusy(): boolean;
  onDead(reason: string): void;
}

/** Probes a session every 5 s. Two failed probes in a row end it. */
export class SessionWatch {
  readonly #o: SessionWatchOptions;
  #timer: NodeJS.Timeout | undefined;
  #misses = 0;
  #running = false;
  #recovered: ((alive: boolean) => void)[] = [];

  constructor(options: SessionWatchOptions) {
    this.#o = options;
  }

  start(): void {
    if (this.#running) return;
    this.#running = true;
    this.#misses = 0;
    this.#schedule(PROBE_EVERY_MS);
  }

  stop(): void {
    this.#running = false;
    clearTimeout(this.#timer);
    this.#answer(false);
  }

  /** Probes now. Resolves to true at the next successful probe, to false if the watch stops first. */
  recovered(): Promise<boolean> {
    if (!this.#running) return Promise.resolve(false);
    const result = new Promise<boolean>((resolve) => this.#recovered.push(resolve));
    this.#schedule(0);
    return result;
  }

  #schedule(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#check(), ms);
  }

  async #check(): Promise<void> {
    const alive = await this.#o.probe().catch(() => false);
    if (!this.#running) return;
    if (alive) {
      this.#misses = 0;
      this.#answer(true);
      return this.#schedule(PROBE_EVERY_MS);
    }
    if (!this.#o.isBusy()) this.#misses += 1;
    if (this.#misses < MISSES) return this.#schedule(PROBE_AGAIN_MS);
    this.stop();
    this.#o.onDead('no_answer');
  }

  #answer(alive: boolean): void {
    const waiting = this.#recovered;
    this.#recovered = [];
    for (const resolve of waiting) resolve(alive);
  }
}

import { config } from './state.ts';

interface SilenceWatchOptions {
  /** How long the oldest request has waited for an answer, in ms; null if none waits. */
  oldestUnanswered(): number | null;
  onDead(): void;
  onIdle(): void;
}

/** How often the limits are checked. */
const CHECKS_PER_LIMIT = 20;
const CHECK_MS_MIN = 10;

/** Detects a silent server, which leaves a request unanswered, and an idle connection, which needs a ping. */
export class SilenceWatch {
  readonly #o: SilenceWatchOptions;
  #timer: ReturnType<typeof setInterval> | undefined;
  #receivedAt = 0;

  constructor(options: SilenceWatchOptions) {
    this.#o = options;
  }

  start(): void {
    const limitMs = Math.min(config.deadLineMs, config.idlePingMs);
    this.#timer = setInterval(() => this.#check(), Math.max(CHECK_MS_MIN, limitMs / CHECKS_PER_LIMIT));
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Something arrived over the connection. */
  received(): void {
    this.#receivedAt = performance.now();
  }

  #check(): void {
    const { oldestUnanswered, onDead, onIdle } = this.#o;
    const waitedMs = oldestUnanswered();
    if (waitedMs !== null && waitedMs > config.deadLineMs) onDead();
    else if (performance.now() - this.#receivedAt > config.idlePingMs) {
      this.received(); // one ping for each idle period
      onIdle();
    }
  }
}

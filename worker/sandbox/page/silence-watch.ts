import { config } from './state.ts';

interface DeadLineOptions {
  /** How long the server has owed an answer, in ms; null if it owes none. */
  oldestUnanswered(): number | null;
  onDead(): void;
  onIdle(): void;
}

/** How often the limits are checked. */
const CHECKS_PER_LIMIT = 20;
const CHECK_MS_MIN = 10;

/** Detects a silent server: one that leaves a request unanswered, and an idle line that needs a ping. */
export class DeadLine {
  readonly #o: DeadLineOptions;
  #timer: ReturnType<typeof setInterval> | undefined;
  #heardAt = 0;

  constructor(options: DeadLineOptions) {
    this.#o = options;
  }

  start(): void {
    const limitMs = Math.min(config.deadLineMs, config.idlePingMs);
    this.#timer = setInterval(() => this.#check(), Math.max(CHECK_MS_MIN, limitMs / CHECKS_PER_LIMIT));
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Something arrived over the line. */
  heard(): void {
    this.#heardAt = performance.now();
  }

  #check(): void {
    const { oldestUnanswered, onDead, onIdle } = this.#o;
    const owedMs = oldestUnanswered();
    if (owedMs !== null && owedMs > config.deadLineMs) onDead();
    else if (performance.now() - this.#heardAt > config.idlePingMs) {
      this.heard(); // one ping for each idle period
      onIdle();
    }
  }
}

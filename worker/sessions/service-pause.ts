const PAUSE_MS_MAX = 2 * 60 * 60_000;

/**
 * The pause after WhatsApp's service was unavailable, for all numbers of this process together: a service that comes
 * back slowly is not met by each of them at its own time. It doubles while nobody gets through.
 */
export class ServicePause {
  readonly #nowMs: () => number;
  #untilMs = 0;
  #failures = 0;

  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  /** A session ended because the service was unavailable. Those that end in the pause of another do not make it longer. */
  begin(shortestMs: number): void {
    if (this.leftMs() > 0) return;
    this.#untilMs = this.#nowMs() + Math.min(PAUSE_MS_MAX, shortestMs * 2 ** this.#failures);
    this.#failures += 1;
  }

  /** A session got through: the next pause is the shortest again, and nobody waits any more. */
  over(): void {
    this.#untilMs = 0;
    this.#failures = 0;
  }

  /** What is left of it, in ms; 0 when there is none. */
  leftMs(): number {
    return Math.max(0, this.#untilMs - this.#nowMs());
  }
}

const PAUSE_MS_MAX = 2 * 60 * 60_000;

/**
 * The delay after WhatsApp's service was unavailable, shared by all numbers of this process so that they do not overload a
 * recovering service. It doubles until a session connects.
 */
export class ServicePause {
  readonly #nowMs: () => number;
  #untilMs = 0;
  #failures = 0;

  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  /** A session ended because the service was unavailable. During a pause this changes nothing. */
  begin(shortestMs: number): void {
    if (this.leftMs() > 0) return;
    this.#untilMs = this.#nowMs() + Math.min(PAUSE_MS_MAX, shortestMs * 2 ** this.#failures);
    this.#failures += 1;
  }

  /** A session has connected: the pause ends, and the next one is the shortest again. */
  over(): void {
    this.#untilMs = 0;
    this.#failures = 0;
  }

  /** The rest of the pause in ms; 0 if there is none. */
  leftMs(): number {
    return Math.max(0, this.#untilMs - this.#nowMs());
  }
}

import type { SessionRow } from '#server/numbers/queries/sessions.ts';
import { BackOff } from './back-off.ts';
import type { ServicePause } from './service-pause.ts';

/** So many connections that ended without a visible reason, within this time, may be a fight over the number. */
const UNSEEN_MAX = 3;
const UNSEEN_WITHIN_MS = 3_600_000;

interface SessionRestartOptions {
  servicePause: ServicePause;
  row(): SessionRow | null;
  /** The longest back-off. */
  mostMs(row: SessionRow): number;
  onRestart(): void;
}

/** Restarts a lost session after its back-off and the pause of WhatsApp's service. */
export class SessionRestart {
  readonly #o: SessionRestartOptions;
  readonly #backOff = new BackOff();
  #timer: NodeJS.Timeout | undefined;
  /** When the session connected, on the monotonic clock; null if it has not connected since it was opened. */
  #connectedAtMs: number | null = null;
  #unseenAtMs: number[] = [];

  constructor(options: SessionRestartOptions) {
    this.#o = options;
  }

  get pending(): boolean {
    return this.#timer !== undefined;
  }

  opened(): void {
    this.#connectedAtMs = null;
  }

  connected(): void {
    this.#connectedAtMs ??= performance.now();
    this.#o.servicePause.over();
  }

  /** The connection ended without a visible reason. True if that happens too often to restart again. */
  endedUnseen(): boolean {
    const now = performance.now();
    this.#unseenAtMs = [...this.#unseenAtMs.filter((at) => now - at < UNSEEN_WITHIN_MS), now];
    if (this.#unseenAtMs.length < UNSEEN_MAX) return false;
    this.#unseenAtMs = [];
    return true;
  }

  cancel(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /**
   * `pauseMs`: WhatsApp's service is unavailable for at least this long. `atOnce`: without back-off. `neverWorked`: the
   * session was connected and sent nothing, so the back-off grows however long it was.
   */
  schedule({ pauseMs = 0, atOnce = false, neverWorked = false } = {}): void {
    const row = this.#o.row();
    const mostMs = row ? this.#o.mostMs(row) : undefined;
    if (pauseMs > 0) this.#o.servicePause.begin(pauseMs);
    const connectedMs =
      neverWorked || this.#connectedAtMs === null ? 0 : performance.now() - this.#connectedAtMs;
    const backOffMs = atOnce ? 0 : this.#backOff.next(connectedMs, mostMs);
    this.cancel();
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#o.onRestart();
    }, this.#o.servicePause.leftMs() + backOffMs);
  }
}

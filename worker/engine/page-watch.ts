import { setTimeout as delay } from 'node:timers/promises';
import type { EngineState } from '#server/core/engine.ts';
import type { Log } from '#server/platform/log.ts';
import type { PageState } from './page/state.ts';
import { type EndState, endOf, waitsForPhone } from './states.ts';
import { asError, withTimeout } from './timeout.ts';
import type { EngineTimes } from './times.ts';

export interface PageWatchOptions {
  times: EngineTimes;
  log: Log;
  readState(): Promise<PageState>;
  refreshQr(): Promise<void>;
  reportSynced(): Promise<void>;
  /** The page's login is refused, or it logs out: `LoginWatch` handles that. */
  isLoginHandled(): boolean;
  /** True while the page asks for a passkey. It gets each state of the page. */
  isPasskeyAsked(seen: PageState): boolean;
  onState(state: EngineState): void;
  end(state: EndState): void;
}

/** How many times the page is asked for a new QR before it is given up. */
const REFRESHES_MAX = 3;

/**
 * Watches a page until it is ready, for what the library does not report: an expired QR, a passkey request, a missed
 * sync, and a page that is refused, stalls or stops answering. Times are monotonic.
 */
export class PageWatch {
  readonly #o: PageWatchOptions;
  #stopped: AbortController | undefined;
  #qrUntil: number | null = null;
  #refreshes = 0;
  #refreshedAt = Number.NEGATIVE_INFINITY;
  #codeShown = false;
  #progressAt = 0;
  #syncedAt: number | null = null;

  constructor(options: PageWatchOptions) {
    this.#o = options;
  }

  /** Starts, or restarts. */
  start(): void {
    this.stop();
    const stopped = new AbortController();
    this.#stopped = stopped;
    this.#progressAt = performance.now();
    this.#syncedAt = null;
    this.#refreshedAt = this.#progressAt;
    void this.#run(stopped.signal);
  }

  stop(): void {
    this.#stopped?.abort();
    this.#stopped = undefined;
  }

  /** A QR is shown, for `validMs`. */
  qrShown(validMs: number): void {
    this.#refreshes = 0;
    this.#qrUntil = performance.now() + validMs;
  }

  /** Whether a pairing code is shown instead of the QR: requesting a new QR would discard it. */
  codeShown(shown: boolean): void {
    this.#codeShown = shown;
  }

  progress(): void {
    this.#progressAt = performance.now();
  }

  async #run(signal: AbortSignal): Promise<void> {
    const { times, readState } = this.#o;
    let answeredAt = performance.now();
    while (!signal.aborted) {
      const seen = await withTimeout(times.probeMs, 'the page state', readState()).catch(() => null);
      if (signal.aborted) return;
      if (seen) {
        answeredAt = performance.now();
        await this.#judge(seen).catch((error: unknown) =>
          this.#o.log.warn({ err: asError(error), ...seen }, 'the page did not do what it was asked for'),
        );
      } else if (performance.now() - answeredAt > times.unresponsiveMs) {
        this.#o.end({ state: 'gone', reason: 'the page does not answer' });
      }
      await delay(times.watchMs, undefined, { signal }).catch(() => {});
    }
  }

  async #judge(seen: PageState): Promise<void> {
    const { socketState, hasSynced } = seen;
    if (this.#o.isPasskeyAsked(seen)) {
      this.#qrUntil = null; // no QR is shown, and requesting one would end the ceremony
      return this.progress();
    }
    if (socketState !== null && waitsForPhone(socketState)) {
      this.progress();
      return this.#keepQrFresh(socketState);
    }
    const end = socketState === null ? null : endOf(socketState);
    if (end) return this.#o.end(end);
    if (this.#o.isLoginHandled()) this.progress();
    if (performance.now() - this.#progressAt > this.#o.times.syncStallMs) {
      return this.#o.end({ state: 'gone', reason: 'the page makes no progress' });
    }
    if (this.#qrUntil !== null) this.#linked();
    if (socketState === 'CONNECTED' || socketState === 'PAIRING') {
      this.#o.onState({ state: 'syncing', percent: null });
    }
    if (hasSynced) await this.#helpReady();
  }

  /** The QR was scanned. */
  #linked(): void {
    this.#qrUntil = null;
    this.progress();
  }

  async #keepQrFresh(socketState: string): Promise<void> {
    const { times, refreshQr, end, onState } = this.#o;
    const now = performance.now();
    const late = this.#qrUntil === null || now > this.#qrUntil + times.qrGraceMs;
    const wanted = late || socketState === 'UNPAIRED_IDLE';
    const asked = now < this.#refreshedAt + times.qrGraceMs;
    if (this.#codeShown || !wanted || asked) return onState({ state: 'qr' });
    if (this.#refreshes >= REFRESHES_MAX) return end({ state: 'gone', reason: 'the page shows no QR' });
    this.#refreshes++;
    this.#refreshedAt = now;
    await withTimeout(times.callMs, 'a new QR', refreshQr());
  }

  async #helpReady(): Promise<void> {
    const { times, reportSynced } = this.#o;
    const now = performance.now();
    this.#syncedAt ??= now;
    if (now - this.#syncedAt < times.readyHelpMs) return;
    this.#syncedAt = now;
    await withTimeout(times.callMs, 'the missed sync', reportSynced());
  }
}

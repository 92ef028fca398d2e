import type { EngineTimes } from './times.ts';

/** A page that is disconnected. */
export interface WaitingPage {
  /** Does the site answer this page? Rejects if the page itself does not answer. */
  isSiteReachable(): Promise<boolean>;
  /** Makes the page connect now instead of after its own delay. */
  reconnect(): void;
}

/** Once the site answers again, pages reconnect one after the other with this delay between them. */
const SPACING_MS = 200;
const DELAY_GROWTH = 1.5;

/**
 * Checks whether WhatsApp's site answers, for all disconnected pages of this process: one page asks for all, with
 * growing delays. When the site answers again, all are made to reconnect: a page alone could wait for 15 minutes.
 */
export class SiteWatch {
  readonly #times: Pick<EngineTimes, 'siteAskMs' | 'siteAskMsMax'>;
  /** The first page asks next. */
  readonly #waiting = new Set<WaitingPage>();
  #timer: NodeJS.Timeout | undefined;
  #askedAt = Number.NEGATIVE_INFINITY;
  #delayMs: number;
  #unreachable = false;

  constructor(times: Pick<EngineTimes, 'siteAskMs' | 'siteAskMsMax'>) {
    this.#times = times;
    this.#delayMs = times.siteAskMs;
  }

  /** The site did not answer the last check, so a new browser would not help either. */
  get unreachable(): boolean {
    return this.#unreachable;
  }

  join(page: WaitingPage): void {
    this.#waiting.add(page);
    if (this.#waiting.size === 1 && this.#timer === undefined) this.#schedule();
  }

  leave(page: WaitingPage): void {
    if (!this.#waiting.delete(page) || this.#waiting.size > 0) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#unreachable = false;
    this.#delayMs = this.#times.siteAskMs;
  }

  #schedule(): void {
    const delayMs = Math.max(0, this.#askedAt + this.#delayMs - performance.now());
    this.#timer = setTimeout(() => void this.#ask(), delayMs).unref();
  }

  async #ask(): Promise<void> {
    const [page] = this.#waiting;
    if (!page) return;
    this.#waiting.delete(page);
    this.#waiting.add(page);
    this.#askedAt = performance.now();
    const answers = await page.isSiteReachable().catch(() => null);
    if (this.#waiting.size === 0) return;
    if (answers === false) this.#unreachable = true;
    else if (answers && this.#unreachable) this.#back();
    this.#delayMs = Math.min(this.#times.siteAskMsMax, this.#delayMs * DELAY_GROWTH);
    this.#schedule();
  }

  #back(): void {
    this.#unreachable = false;
    for (const [index, page] of [...this.#waiting].entries())
      setTimeout(() => {
        if (this.#waiting.has(page)) page.reconnect();
      }, index * SPACING_MS).unref();
  }
}

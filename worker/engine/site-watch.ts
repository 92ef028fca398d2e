import type { EngineTimes } from './times.ts';

/** A page whose line is down. */
export interface WaitingPage {
  /** Does the site answer it at all? Rejects when the page itself does not. */
  siteAnswers(): Promise<boolean>;
  /** Has it connect now, whatever pause it is in. */
  reconnect(): void;
}

/** Pages connect one after the other, this far apart, once the site answers again. */
const SPACING_MS = 200;
const PAUSE_GROWTH = 1.5;

/**
 * Whether WhatsApp's site answers, for all pages of this process whose line is down: one of them asks for all, after
 * pauses that grow. A page pauses for up to 15 minutes between its own attempts, and learns that the network is back
 * only from its own machine. So once the site answers after it did not, each of them connects at once.
 */
export class SiteWatch {
  readonly #times: Pick<EngineTimes, 'siteAskMs' | 'siteAskMsMax'>;
  /** The one that asks next comes first. */
  readonly #waiting = new Set<WaitingPage>();
  #timer: NodeJS.Timeout | undefined;
  #askedAt = Number.NEGATIVE_INFINITY;
  #pauseMs: number;
  #away = false;

  constructor(times: Pick<EngineTimes, 'siteAskMs' | 'siteAskMsMax'>) {
    this.#times = times;
    this.#pauseMs = times.siteAskMs;
  }

  /** It did not answer when it was asked last, so a new browser would not help either. */
  get away(): boolean {
    return this.#away;
  }

  join(page: WaitingPage): void {
    this.#waiting.add(page);
    if (this.#waiting.size === 1 && this.#timer === undefined) this.#schedule();
  }

  leave(page: WaitingPage): void {
    if (!this.#waiting.delete(page) || this.#waiting.size > 0) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#away = false;
    this.#pauseMs = this.#times.siteAskMs;
  }

  #schedule(): void {
    const pauseMs = Math.max(0, this.#askedAt + this.#pauseMs - performance.now());
    this.#timer = setTimeout(() => void this.#ask(), pauseMs).unref();
  }

  async #ask(): Promise<void> {
    const [page] = this.#waiting;
    if (!page) return;
    this.#waiting.delete(page);
    this.#waiting.add(page);
    this.#askedAt = performance.now();
    const answers = await page.siteAnswers().catch(() => null);
    if (this.#waiting.size === 0) return;
    if (answers === false) this.#away = true;
    else if (answers && this.#away) this.#back();
    this.#pauseMs = Math.min(this.#times.siteAskMsMax, this.#pauseMs * PAUSE_GROWTH);
    this.#schedule();
  }

  #back(): void {
    this.#away = false;
    for (const [index, page] of [...this.#waiting].entries())
      setTimeout(() => {
        if (this.#waiting.has(page)) page.reconnect();
      }, index * SPACING_MS).unref();
  }
}

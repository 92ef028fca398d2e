import type { Log } from '#server/platform/log.ts';
import type { Client, Page, PageBrowser } from './library.ts';
import { killProcessGroup, killProfileBrowsers } from './profile.ts';
import { withTimeout } from './timeout.ts';

export interface BrowserEvents {
  /** The browser or its page has ended; the library has no event for that. */
  lost(reason: string, error?: Error): void;
  /** The page may show another document. */
  navigated(): void;
}

/** The browser of one session, from its launch to the end of its last process. */
export class SessionBrowser {
  readonly #launch = new AbortController();
  /** Rejects when the browser has no more time to close. */
  readonly #cutShort = Promise.withResolvers<never>();
  readonly #profileDir: string;
  readonly #log: Log;
  #browser: PageBrowser | null = null;
  #page: Page | null = null;

  constructor(profileDir: string, log: Log) {
    this.#profileDir = profileDir;
    this.#log = log;
    this.#cutShort.promise.catch(() => {});
  }

  /** Aborts to kill a browser that is being launched. */
  get signal(): AbortSignal {
    return this.#launch.signal;
  }

  /** It was started, and has a page. */
  get launched(): boolean {
    return this.#browser !== null;
  }

  /** Throws if there is no page yet. */
  page(): Page {
    if (!this.#page) throw new Error('there is no page yet');
    return this.#page;
  }

  /** Watches a launched browser. A second call with the same browser does nothing and returns false. */
  attach(browser: PageBrowser, page: Page, events: BrowserEvents): boolean {
    if (this.#browser === browser) return false;
    this.#browser = browser;
    this.#page = page;
    // If the library closes the browser twice, a pipe error without a listener would end the worker.
    for (const stream of browser.process()?.stdio ?? []) stream?.on('error', () => {});
    browser.once('disconnected', () => events.lost('the browser has ended'));
    page.once('error', (error) => events.lost('the page has crashed', error));
    page.on('framenavigated', (frame) => {
      if (frame === page.mainFrame()) events.navigated();
    });
    return true;
  }

  /** Gives a browser that is or will be closing at most `ms` from now. */
  closeWithin(ms: number): void {
    if (ms === Number.POSITIVE_INFINITY) return;
    setTimeout(() => this.#cutShort.reject(new Error('its time to close was cut short')), ms).unref();
  }

  /** Closes the browser, and kills the processes that are left after `closeMs`. */
  async end(client: Client | null, initialized: Promise<unknown>, closeMs: number): Promise<void> {
    const group = this.#browser?.process()?.pid;
    try {
      const isOpen = client !== null && this.#browser !== null;
      if (!isOpen) this.#launch.abort();
      const closing = isOpen ? client.destroy() : initialized;
      await withTimeout(closeMs, 'closing', Promise.race([closing, this.#cutShort.promise]));
    } catch (error) {
      this.#log.warn({ err: error }, 'the browser did not close and will be killed');
    }
    try {
      // By process group: if the lease is lost, the next worker's browser may already use this profile.
      await (group === undefined ? killProfileBrowsers(this.#profileDir) : killProcessGroup(group));
    } catch (error) {
      this.#log.error({ err: error }, 'the browser could not be killed');
    }
  }
}

import type { Log } from '#server/platform/log.ts';
import { within } from './deadline.ts';
import type { Client, Page, PageBrowser } from './library.ts';
import { sweepGroup, sweepProfile } from './profile.ts';

export interface BrowserEvents {
  /** The browser or its page is gone; the library has no event for it. */
  lost(reason: string, error?: Error): void;
  /** The page may show another document. */
  navigated(): void;
}

/** The browser of one session, from its launch to the last of its processes. */
export class OwnBrowser {
  readonly #launch = new AbortController();
  readonly #profileDir: string;
  readonly #log: Log;
  #browser: PageBrowser | null = null;
  #page: Page | null = null;

  constructor(profileDir: string, log: Log) {
    this.#profileDir = profileDir;
    this.#log = log;
  }

  /** Kills a browser that is being launched. */
  get signal(): AbortSignal {
    return this.#launch.signal;
  }

  /** Throws if there is no page yet. */
  page(): Page {
    if (!this.#page) throw new Error('there is no page yet');
    return this.#page;
  }

  /** Takes over a launched browser. A second call with the same browser does nothing. */
  take(browser: PageBrowser, page: Page, events: BrowserEvents): void {
    if (this.#browser === browser) return;
    this.#browser = browser;
    this.#page = page;
    // When the library closes it twice, a pipe can break without a listener, which would end the worker.
    for (const stream of browser.process()?.stdio ?? []) stream?.on('error', () => {});
    browser.once('disconnected', () => events.lost('the browser has ended'));
    page.once('error', (error) => events.lost('the page has crashed', error));
    page.on('framenavigated', (frame) => {
      if (frame === page.mainFrame()) events.navigated();
    });
  }

  /** Closes the browser, kills it after `closeMs`, and makes sure that no process is left. */
  async end(client: Client | null, initialized: Promise<unknown>, closeMs: number): Promise<void> {
    const group = this.#browser?.process()?.pid;
    try {
      if (client && this.#browser) {
        await within(closeMs, 'closing', client.destroy());
      } else {
        this.#launch.abort();
        await within(closeMs, 'the end of the launch', initialized);
      }
    } catch (error) {
      this.#log.warn({ err: error }, 'the browser did not close and is killed');
    }
    try {
      // Kills by process group, so no other browser: the lease may be lost, and the profile may have its next
      // one.
      await (group === undefined ? sweepProfile(this.#profileDir) : sweepGroup(group));
    } catch (error) {
      this.#log.error({ err: error }, 'the browser could not be ended');
    }
  }
}

import type { SeenDraft } from './drafts/draft.ts';
import type { Page } from './library.ts';
import type { Outbox } from './outbox.ts';
import { provideDrafts } from './page/drafts.ts';
import { HOOK_ERRORS } from './page/hook-errors.ts';
import { gateJob, HELD_BACK, MAY_WRITE, OWN_TYPES } from './page/job.ts';
import { keepBrowser } from './page/prelude.ts';
import { hasGate, installGate, MAY_DISPATCH, type PageReport, REPORT } from './page/sending.ts';
import { withTimeout } from './timeout.ts';
import type { EngineTimes } from './times.ts';

export interface PageGateOptions {
  times: EngineTimes;
  outbox: Outbox;
  page(): Page;
  /** The page asks whether a message may be sent. */
  onAsked(waMessageId: string): void;
  /** The page was kept from sending a message that did not pass the gate in this document. */
  onHeldBack(waMessageId: string): void;
  /** The document with the gate was replaced: its messages are lost. */
  onLeft(): void;
}

/**
 * Installs the gate in the page's current document and knows whether it is there. Each document needs its own, so
 * after a possible navigation the gate counts as missing until it is checked.
 */
export class PageGate {
  readonly #o: PageGateOptions;
  #installed = false;
  /** Counts navigations, so that a late answer of an old document does not count for the new one. */
  #navigations = 0;
  #navigation: Promise<void> = Promise.resolve();

  constructor(options: PageGateOptions) {
    this.#o = options;
  }

  get installed(): boolean {
    return this.#installed;
  }

  /** Resolves to whether the gate is installed, once that is certain. */
  async check(): Promise<boolean> {
    await this.#navigation;
    return this.#installed;
  }

  /** Prepares each document of a page that is still blank. */
  async prepare(page: Page): Promise<void> {
    const { times, outbox, onAsked, onHeldBack } = this.#o;
    await page.evaluateOnNewDocument(keepBrowser);
    await page.exposeFunction(MAY_DISPATCH, (id: string, seen: SeenDraft) => {
      onAsked(id);
      return outbox.openGate(id, seen);
    });
    await page.exposeFunction(MAY_WRITE, (id: string) => outbox.mayWrite(id));
    await page.exposeFunction(REPORT, (id: string, report: PageReport) => outbox.report(id, report));
    await page.exposeFunction(HELD_BACK, onHeldBack);
    await page.evaluateOnNewDocument(provideDrafts, HOOK_ERRORS);
    await page.evaluateOnNewDocument(gateJob, times.tapMs, OWN_TYPES, HOOK_ERRORS);
  }

  /** Installs the gate. False if the page has navigated meanwhile; rejects if the page does not accept it. */
  async install(): Promise<boolean> {
    const seen = this.#navigations;
    try {
      const { times, page } = this.#o;
      await withTimeout(times.callMs, 'the gate', page().evaluate(installGate, HOOK_ERRORS));
    } catch (error) {
      if (seen === this.#navigations) throw error;
    }
    this.#installed = seen === this.#navigations;
    return this.#installed;
  }

  close(): void {
    this.#navigations += 1;
    this.#installed = false;
  }

  navigated(): void {
    this.#navigation = this.#checkDocument();
  }

  async #checkDocument(): Promise<void> {
    const wasInstalled = this.#installed;
    this.close();
    if (!wasInstalled) return;
    const seen = this.#navigations;
    const { times, page, onLeft } = this.#o;
    const same = await withTimeout(times.probeMs, 'the page', page().evaluate(hasGate)).catch(() => false);
    if (seen !== this.#navigations) return;
    if (same) this.#installed = true;
    else onLeft();
  }
}

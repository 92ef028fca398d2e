import { within } from './deadline.ts';
import type { Page } from './library.ts';
import type { Outbox } from './outbox.ts';
import { hasGate, MAY_DISPATCH, MAY_WRITE, type PageReport, putGate, REPORT, WORDS } from './page-sending.ts';
import type { EngineTimes } from './times.ts';

export interface PageGateOptions {
  times: EngineTimes;
  outbox: Outbox;
  page(): Page;
  /** The page asks whether a message may leave. */
  onAsked(waMessageId: string): void;
  /** The gated page was replaced: its current work is lost. */
  onLeft(): void;
}

/**
 * Whether the gate stands in the page's current document. Each document needs its own, so after a possible
 * change the gate counts as closed until that is certain.
 */
export class PageGate {
  readonly #o: PageGateOptions;
  #standing = false;
  /** Raised with each navigation, so that a late answer of an old document does not count for the new one. */
  #visit = 0;
  #navigation: Promise<void> = Promise.resolve();
  #exposed: Promise<void> | null = null;

  constructor(options: PageGateOptions) {
    this.#o = options;
  }

  get standing(): boolean {
    return this.#standing;
  }

  /** Resolves to whether the gate stands, once that is certain. */
  async check(): Promise<boolean> {
    await this.#navigation;
    return this.#standing;
  }

  /** Installs the gate. False if the page was left meanwhile; rejects if the page does not accept it. */
  async put(): Promise<boolean> {
    const visit = this.#visit;
    try {
      await within(this.#o.times.callMs, 'the gate', this.#put());
    } catch (error) {
      if (visit === this.#visit) throw error;
    }
    this.#standing = visit === this.#visit;
    return this.#standing;
  }

  /** From now on nothing passes. */
  close(): void {
    this.#visit += 1;
    this.#standing = false;
  }

  navigated(): void {
    this.#navigation = this.#lookAgain();
  }

  async #lookAgain(): Promise<void> {
    const stood = this.#standing;
    this.close();
    if (!stood) return;
    const visit = this.#visit;
    const { times, page, onLeft } = this.#o;
    const same = await within(times.probeMs, 'the page', page().evaluate(hasGate)).catch(() => false);
    if (visit !== this.#visit) return;
    if (same) this.#standing = true;
    else onLeft();
  }

  async #put(): Promise<void> {
    const { page, outbox, onAsked } = this.#o;
    const expose = async () => {
      await page().exposeFunction(MAY_DISPATCH, (id: string) => {
        onAsked(id);
        return outbox.mayDispatch(id);
      });
      await page().exposeFunction(MAY_WRITE, (id: string) => outbox.mayWrite(id));
      await page().exposeFunction(REPORT, (id: string, report: PageReport) => outbox.report(id, report));
    };
    this.#exposed ??= expose();
    await this.#exposed;
    await page().evaluate(putGate, WORDS);
  }
}

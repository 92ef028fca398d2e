import type { NumberLimits, SessionEvents } from '#server/core/engine.ts';
import type { Log } from '#server/platform/log.ts';
import { unblamed } from './blame.ts';
import { within } from './deadline.ts';
import type { Page } from './library.ts';
import { HEARD, LIMITS_CHANGED, readLimits, watchHealth } from './page-health.ts';

interface HealthWatchOptions {
  callMs: number;
  log: Log;
  page(): Page;
  events: Pick<SessionEvents, 'healthChanged' | 'heard'>;
}

/** How many people the page remembers as reported, and how many it reports at its start. */
const HEARD_MAX = 10_000;

/**
 * What a session's page reports about restrictions and about people who write. A build without it only reports
 * less.
 */
export class HealthWatch {
  readonly #o: HealthWatchOptions;
  #exposed: Promise<void> | null = null;

  constructor(options: HealthWatchOptions) {
    this.#o = options;
  }

  /** Starts in the page's current document. Never rejects. */
  async begin(): Promise<void> {
    const { page, callMs, log } = this.#o;
    try {
      this.#exposed ??= this.#expose();
      await within(callMs, 'the health watch', this.#exposed);
      await within(callMs, 'the health watch', page().evaluate(watchHealth, HEARD_MAX));
      // Reads what changed before the page was listened to.
      unblamed(() => this.#o.events.healthChanged?.());
    } catch (error) {
      log.warn({ err: error }, 'this page does not say what WhatsApp restricts');
    }
  }

  read(ask: boolean): Promise<NumberLimits> {
    const { page, callMs } = this.#o;
    return within(callMs, 'the restrictions', page().evaluate(readLimits, ask));
  }

  async #expose(): Promise<void> {
    const { page, events } = this.#o;
    await page().exposeFunction(LIMITS_CHANGED, () => unblamed(() => events.healthChanged?.()));
    await page().exposeFunction(HEARD, (digits: string[]) => unblamed(() => events.heard?.(digits)));
  }
}

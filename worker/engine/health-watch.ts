import type { NumberLimits, SessionEvents } from '#server/core/engine.ts';
import type { Log } from '#server/platform/log.ts';
import type { Page } from './library.ts';
import { runOwnCode } from './library-errors.ts';
import { LIMITS_CHANGED, RECEIVED_FROM, readLimits, watchHealth } from './page/health.ts';
import { withTimeout } from './timeout.ts';

interface HealthWatchOptions {
  callMs: number;
  log: Log;
  page(): Page;
  events: Pick<SessionEvents, 'healthChanged' | 'receivedFrom'>;
}

/** How many reported people the page remembers, and how many messages and chats it reads at its start. */
const RECEIVED_FROM_MAX = 10_000;

/**
 * Reports restrictions and people who write, from a session's page. A build that lacks these modules reports less.
 */
export class HealthWatch {
  readonly #o: HealthWatchOptions;
  #exposed: Promise<void> | null = null;

  constructor(options: HealthWatchOptions) {
    this.#o = options;
  }

  /** Starts watching the page's current document. Never rejects. */
  async begin(): Promise<void> {
    const { page, callMs, log } = this.#o;
    try {
      this.#exposed ??= this.#expose();
      await withTimeout(callMs, 'the health watch', this.#exposed);
      await withTimeout(callMs, 'the health watch', page().evaluate(watchHealth, RECEIVED_FROM_MAX));
      // Something may have changed before the page was watched.
      runOwnCode(() => this.#o.events.healthChanged?.());
    } catch (error) {
      log.warn({ err: error }, 'this page does not report restrictions');
    }
  }

  read(ask: boolean): Promise<NumberLimits> {
    const { page, callMs } = this.#o;
    return withTimeout(callMs, 'the restrictions', page().evaluate(readLimits, ask));
  }

  async #expose(): Promise<void> {
    const { page, events } = this.#o;
    await page().exposeFunction(LIMITS_CHANGED, () => runOwnCode(() => events.healthChanged?.()));
    await page().exposeFunction(RECEIVED_FROM, (digits: string[]) =>
      runOwnCode(() => events.receivedFrom?.(digits)),
    );
  }
}

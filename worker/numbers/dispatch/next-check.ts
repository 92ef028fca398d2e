import type { Holding } from '#server/core/lease.ts';
import { intervalMs, type SendPace } from '#server/core/pacing/interval.ts';
import { cutSlot, readOutlook } from '#server/messages/queries/slots.ts';
import type { Database } from '#server/platform/db/client.ts';
import type { Log } from '#server/platform/log.ts';

/** A lost wake-up delays a message by at most this. */
const FALLBACK_MS = 2000;
/** Messages to new people that must wait are checked again after this at the latest. */
const CHECK_MS_MAX = 3_600_000;
/** Timers may fire a fraction of a millisecond early. */
const TIMER_SLACK_MS = 1;

interface NextCheckOptions {
  database: Database;
  log: Log;
  holding: Holding;
  pace(): SendPace;
  /** What is left of the interval by this process's clock. */
  intervalLeftMs(): number;
}

/** When a dispatcher that has found nothing to claim looks again, unless it is woken. */
export class NextCheck {
  readonly #o: NextCheckOptions;
  /** The slot is free and messages wait, but the last claim found none. */
  #blockedOnce = false;

  constructor(options: NextCheckOptions) {
    this.#o = options;
  }

  /** A message was claimed. */
  claimed(): void {
    this.#blockedOnce = false;
  }

  /** In ms; infinite if nothing waits. */
  async inMs(): Promise<number> {
    const { database, holding, log, pace } = this.#o;
    try {
      const { waiting, slotInMs, dueInMs } = await readOutlook(database, holding);
      if (waiting === 0) {
        this.#blockedOnce = false;
        return Number.POSITIVE_INFINITY;
      }
      const longestMs = intervalMs(pace(), 1);
      if (slotInMs > longestMs) await cutSlot(database, holding, { intervalMs: longestMs });
      const untilSlot = Math.max(
        Math.min(slotInMs, longestMs),
        this.#o.intervalLeftMs(),
        Math.min(dueInMs, CHECK_MS_MAX),
      );
      if (untilSlot > 0) {
        this.#blockedOnce = false;
        return Math.ceil(untilSlot) + TIMER_SLACK_MS;
      }
      // The slot may have come between the claim and this check, so claim once more before waiting longer.
      const isSecond = this.#blockedOnce;
      this.#blockedOnce = true;
      return isSecond ? FALLBACK_MS : TIMER_SLACK_MS;
    } catch (error) {
      log.warn({ err: error, numberId: holding.numberId }, 'the queue could not be read');
      return FALLBACK_MS;
    }
  }
}

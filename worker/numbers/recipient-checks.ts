import { setTimeout as delay } from 'node:timers/promises';
import type { EngineSession } from '#server/core/engine.ts';
import type { Holding } from '#server/core/lease.ts';
import { intervalMs, type SendPace } from '#server/core/pacing/interval.ts';
import { SendError } from '#server/core/send-failures.ts';
import { noteLookUpRefused, readLookUp, writeLookUp } from '#server/numbers/queries/look-ups.ts';
import { nextCheck, settleChecks } from '#server/numbers/queries/recipient-checks.ts';
import type { Database } from '#server/platform/db/client.ts';
import type { Log } from '#server/platform/log.ts';

interface RecipientChecksOptions {
  database: Database;
  log: Log;
  holding: Holding;
  /** The session if it is connected; null otherwise. */
  session(): EngineSession | null;
}

/** Looks up the phones that callers asked about, one per interval. */
export class RecipientChecks {
  readonly #o: RecipientChecksOptions;
  #running = false;

  constructor(options: RecipientChecksOptions) {
    this.#o = options;
  }

  /** Looks up the waiting phones, until none waits or WhatsApp answers no look-ups. A call during a run does nothing. */
  async run(pace: SendPace): Promise<void> {
    const { database, log, holding } = this.#o;
    if (this.#running) return;
    this.#running = true;
    try {
      for (;;) {
        const digits = await nextCheck(database, holding);
        const session = this.#o.session();
        if (digits === null || session === null) return;
        const asked = await this.#check(session, digits);
        if (asked) await delay(intervalMs(pace, Math.random()), undefined, { ref: false });
      }
    } catch (error) {
      log.warn({ err: error }, 'recipients could not be checked');
      // Dropped, or each change of the number would try again. Callers ask again.
      await settleChecks(database, holding, { digits: null }).catch(() => {});
    } finally {
      this.#running = false;
    }
  }

  /**
   * Looks up one phone, whose wait then ends even if its look-up fails. True if WhatsApp was asked; throws if it cannot
   * be asked now.
   */
  async #check(session: EngineSession, digits: string): Promise<boolean> {
    const { database, log, holding } = this.#o;
    const { numberId } = holding;
    const stored = await readLookUp(database, { numberId, digits });
    if (stored.answer === null) {
      if (stored.paused) throw new Error('look-ups are paused');
      const answer = await session.lookUp(digits).catch(async (error: unknown) => {
        const reason = error instanceof SendError ? error.reason : null;
        if (reason === 'look_ups') await noteLookUpRefused(database, holding);
        if (reason === 'look_ups' || reason === 'look_ups_changed') throw error;
        log.warn({ err: error }, 'a recipient could not be checked');
        return undefined;
      });
      if (answer !== undefined) await writeLookUp(database, { numberId, digits, address: answer });
    }
    await settleChecks(database, holding, { digits });
    return stored.answer === null;
  }
}

import type { EngineSession } from '#server/core/engine.ts';
import type { Holding } from '#server/core/lease.ts';
import { writeCheck } from '#server/operations/queries/number-checks.ts';
import type { Database } from '#server/platform/db/client.ts';
import type { Log } from '#server/platform/log.ts';

/** Runs the self-test of a number's page when an operator asks for it, one at a time. */
export class PageChecks {
  readonly #o: { database: Database; log: Log; holding: Holding };
  #running = false;

  constructor(options: { database: Database; log: Log; holding: Holding }) {
    this.#o = options;
  }

  async run(session: EngineSession): Promise<void> {
    const { database, log, holding } = this.#o;
    if (this.#running) return;
    this.#running = true;
    try {
      const result = await session.check().catch((error: unknown) => {
        log.warn({ err: error }, 'the page could not be tested');
        return null;
      });
      await writeCheck(database, holding, result);
    } catch (error) {
      log.warn({ err: error }, 'the result of a page’s test could not be stored');
    } finally {
      this.#running = false;
    }
  }
}

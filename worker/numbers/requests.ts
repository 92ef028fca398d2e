import type { EngineSession } from '#server/core/engine.ts';
import type { Holding } from '#server/core/lease.ts';
import { writeGroups } from '#server/numbers/queries/sessions.ts';
import { writeCheck } from '#server/operations/queries/number-checks.ts';
import type { Database } from '#server/platform/db/client.ts';
import type { Log } from '#server/platform/log.ts';

/** Answers what people ask a number's page, one request of each kind at a time. Its methods never reject. */
export class PageRequests {
  readonly #o: { database: Database; log: Log; holding: Holding };
  readonly #running = new Set<string>();

  constructor(options: { database: Database; log: Log; holding: Holding }) {
    this.#o = options;
  }

  /** Lists the groups for the owner. The answer also serves requests that come meanwhile. */
  listGroups(session: EngineSession): Promise<void> {
    const { database, holding } = this.#o;
    return this.#alone('groups', async () => {
      const groups = await this.#tried('groups', session.listGroups());
      const error = 'WhatsApp did not return the groups. Try again.';
      await writeGroups(database, holding, groups ? { groups } : { error });
    });
  }

  /** Runs the self-test of the page for an operator. */
  check(session: EngineSession): Promise<void> {
    const { database, holding } = this.#o;
    return this.#alone('self-test', async () => {
      await writeCheck(database, holding, await this.#tried('self-test', session.check()));
    });
  }

  async #tried<T>(what: string, answer: Promise<T>): Promise<T | null> {
    return answer.catch((error: unknown) => {
      this.#o.log.warn({ err: error, what }, 'the page did not answer a request');
      return null;
    });
  }

  async #alone(what: string, work: () => Promise<void>): Promise<void> {
    if (this.#running.has(what)) return;
    this.#running.add(what);
    await work().catch((error: unknown) =>
      this.#o.log.warn({ err: error, what }, 'the answer to a request could not be stored'),
    );
    this.#running.delete(what);
  }
}

import type { EngineSession } from '#server/core/engine.ts';
import type { Holding } from '#server/core/lease.ts';
import { writeGroups } from '#server/numbers/queries/sessions.ts';
import type { Database } from '#server/platform/db/client.ts';
import type { Log } from '#server/platform/log.ts';

/** Lists a number's groups, one request at a time. */
export class GroupList {
  readonly #o: { database: Database; log: Log; holding: Holding };
  #listing = false;

  constructor(options: { database: Database; log: Log; holding: Holding }) {
    this.#o = options;
  }

  /** Lists the groups for the owner and stores the answer, which also serves requests that come meanwhile. */
  async list(session: EngineSession): Promise<void> {
    const { database, log, holding } = this.#o;
    if (this.#listing) return;
    this.#listing = true;
    try {
      const answer = await session.listGroups().then(
        (groups) => ({ groups }),
        (error: unknown) => {
          log.warn({ err: error }, 'the groups could not be listed');
          return { error: 'WhatsApp did not return the groups. Try again.' };
        },
      );
      await writeGroups(database, holding, answer);
    } catch (error) {
      log.warn({ err: error }, 'the groups could not be stored');
    } finally {
      this.#listing = false;
    }
  }
}

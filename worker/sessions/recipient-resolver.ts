import type { EngineSession, LookUp } from '#server/core/engine.ts';
import type { Holding } from '#server/core/lease.ts';
import { isGroup, toOf } from '#server/core/recipient.ts';
import { SendError } from '#server/core/send-failures.ts';
import type { ClaimedMessage } from '#server/messages/queries/claim.ts';
import { noteStep } from '#server/messages/queries/dispatch.ts';
import { noteLookUpRefused, readLookUp, writeLookUp } from '#server/numbers/queries/look-ups.ts';
import type { Database } from '#server/platform/db/client.ts';

interface RecipientResolverOptions {
  database: Database;
  holding: Holding;
  session: EngineSession;
  /** Retries the work while the database is not available. */
  untilWritten<T>(work: () => Promise<T>): Promise<T>;
}

/** Makes sure that a session's page can address a recipient. */
export class RecipientResolver {
  readonly #o: RecipientResolverOptions;
  readonly #lookedUp = new Set<string>();

  constructor(options: RecipientResolverOptions) {
    this.#o = options;
  }

  /**
   * Looks a person up once per session, so that the page can address them, unless both the page and the database still
   * know them. A failure here is certain: nothing was dispatched. `noted`: its event is written, so that the next one
   * comes after it in the timeline.
   */
  async resolve(message: ClaimedMessage): Promise<{ noted: Promise<void> }> {
    const nothing = { noted: Promise.resolve() };
    const digits = toOf(message.recipient);
    if (isGroup(message.recipient) || this.#lookedUp.has(digits)) return nothing;
    const { database, session, holding, untilWritten } = this.#o;
    const { numberId } = holding;
    const absent = () => new SendError(true, 'recipient_unknown', 'not on WhatsApp');
    try {
      const stored = await untilWritten(() => readLookUp(database, { numberId, digits }));
      if (stored.answer === 'absent') throw absent();
      if (stored.answer === null || !(await session.canAddress(digits))) {
        const answer = await this.#ask(digits, stored.paused);
        if (answer === null) return nothing;
        const found = answer === 'known';
        await untilWritten(() => writeLookUp(database, { numberId, digits, found }));
        if (!found) throw absent();
      }
    } catch (error) {
      throw error instanceof SendError
        ? error
        : new SendError(true, 'page', 'the look-up failed', { cause: error });
    }
    this.#lookedUp.add(digits);
    const step = { messageId: message.id, event: 'recipient_resolved' } as const;
    return { noted: noteStep(database, step).catch(() => {}) };
  }

  /** Null if WhatsApp refuses look-ups and the page can address this person without one. */
  async #ask(digits: string, paused: boolean): Promise<LookUp | null> {
    const { database, session, holding, untilWritten } = this.#o;
    let refusal = new SendError(true, 'look_ups', 'look-ups are paused');
    if (!paused) {
      try {
        return await session.lookUp(digits);
      } catch (error) {
        if (!(error instanceof SendError)) throw error;
        if (error.reason === 'look_ups') await untilWritten(() => noteLookUpRefused(database, holding));
        else if (error.reason !== 'look_ups_changed') throw error;
        refusal = error;
      }
    }
    if (await session.canAddress(digits)) return null;
    throw refusal;
  }
}

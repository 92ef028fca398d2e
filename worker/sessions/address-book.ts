import type { EngineSession, LookUp } from '#server/core/engine.ts';
import type { Holding } from '#server/core/lease.ts';
import { isGroup, toOf } from '#server/core/recipient.ts';
import { SendError } from '#server/core/send-failures.ts';
import type { ClaimedMessage } from '#server/messages/queries/claim.ts';
import { noteStep } from '#server/messages/queries/dispatch.ts';
import { noteLookUpRefused, readLookUp, writeLookUp } from '#server/numbers/queries/look-ups.ts';
import type { Database } from '#server/platform/db/client.ts';

interface AddressBookOptions {
  database: Database;
  holding: Holding;
  session: EngineSession;
  /** Takes what needs the database again while it is away. */
  untilWritten<T>(work: () => Promise<T>): Promise<T>;
}

/** Whom a session's page knows how to address. */
export class AddressBook {
  readonly #o: AddressBookOptions;
  readonly #lookedUp = new Set<string>();

  constructor(options: AddressBookOptions) {
    this.#o = options;
  }

  /**
   * Looks a person up once for each session, which also teaches the page how to address them. Somebody of whom the
   * page and the number still know is not asked about again. Whatever goes wrong here is certain: nothing was handed over.
   */
  async makeReachable(message: ClaimedMessage): Promise<void> {
    const digits = toOf(message.recipient);
    if (isGroup(message.recipient) || this.#lookedUp.has(digits)) return;
    const { database, session, holding, untilWritten } = this.#o;
    const { numberId } = holding;
    const absent = () => new SendError(true, 'recipient_unknown', 'not on WhatsApp');
    try {
      const memory = await untilWritten(() => readLookUp(database, { numberId, digits }));
      if (memory.answer === 'absent') throw absent();
      if (memory.answer === null || !(await session.canAddress(digits))) {
        const answer = await this.#ask(digits, memory.paused);
        if (answer === null) return;
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
    void noteStep(database, { messageId: message.id, event: 'recipient_resolved' }).catch(() => {});
  }

  /** Null where WhatsApp takes no such questions, for somebody whom the page can address without one. */
  async #ask(digits: string, paused: boolean): Promise<LookUp | null> {
    const { database, session, holding, untilWritten } = this.#o;
    let refusal = new SendError(true, 'look_ups', 'look-ups pause');
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

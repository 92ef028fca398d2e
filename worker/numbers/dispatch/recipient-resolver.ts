import type { EngineSession } from '#server/core/engine.ts';
import type { Holding } from '#server/core/lease.ts';
import { type Address, isGroup, toOf } from '#server/core/recipient.ts';
import { SendError } from '#server/core/send-failures.ts';
import type { ClaimedMessage } from '#server/messages/queries/claim.ts';
import { noteStep } from '#server/messages/queries/dispatch.ts';
import {
  type LookUpMemory,
  noteLookUpRefused,
  readLookUp,
  writeLookUp,
} from '#server/numbers/queries/look-ups.ts';
import type { Database } from '#server/platform/db/client.ts';
import { forgetOldest } from '../../engine/forget-oldest.ts';

interface RecipientResolverOptions {
  database: Database;
  holding: Holding;
  session: Pick<EngineSession, 'lookUp' | 'canAddress'>;
  /** Retries the work while the database is not available. */
  untilWritten<T>(work: () => Promise<T>): Promise<T>;
}

/** How many people a session remembers as found. The others are found again, mostly without a look-up. */
export const FOUND_MAX = 1000;

/** Makes sure that a session's page can address a recipient. */
export class RecipientResolver {
  readonly #o: RecipientResolverOptions;
  readonly #found = new Map<string, Address>();

  constructor(options: RecipientResolverOptions) {
    this.#o = options;
  }

  /**
   * Where a message goes. Looks up a person whom the session does not remember, so that the page can address them, unless
   * both the page and the database still know them. A failure here is certain: nothing was dispatched. `noted`: its event is written,
   * so that the next one comes after it in the timeline.
   */
  async resolve(message: ClaimedMessage): Promise<{ address: Address; noted: Promise<void> }> {
    const { recipient } = message;
    const digits = toOf(recipient);
    const found = isGroup(recipient) ? recipient : this.#found.get(digits);
    if (found) return { address: found, noted: Promise.resolve() };
    const { database, session, holding, untilWritten } = this.#o;
    const { numberId } = holding;
    const absent = () => new SendError(true, 'recipient_unknown', 'not on WhatsApp');
    let address: Address = recipient;
    try {
      const stored = await untilWritten(() => readLookUp(database, { numberId, digits }));
      if (stored.answer === 'absent') throw absent();
      address = stored.address;
      if (stored.answer === null || !(await session.canAddress(address))) {
        const answer = await this.#ask(digits, stored);
        if (answer === 'not asked') return { address, noted: Promise.resolve() };
        const written = untilWritten(() => writeLookUp(database, { numberId, digits, address: answer }));
        if (answer === null) {
          await written;
          throw absent();
        }
        // The message need not wait for what later sessions look up. A failure costs them a second look-up.
        written.catch(() => {});
        address = answer;
      }
    } catch (error) {
      throw error instanceof SendError
        ? error
        : new SendError(true, 'page', 'the look-up failed', { cause: error });
    }
    this.#found.set(digits, address);
    forgetOldest(this.#found, FOUND_MAX);
    const step = { messageId: message.id, event: 'recipient_resolved' } as const;
    return { address, noted: noteStep(database, step).catch(() => {}) };
  }

  /** `not asked` if WhatsApp refuses look-ups and the page can address this person without one. */
  async #ask(
    digits: string,
    { paused, address }: Pick<LookUpMemory, 'paused' | 'address'>,
  ): Promise<Address | null | 'not asked'> {
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
    if (await session.canAddress(address)) return 'not asked';
    throw refusal;
  }
}

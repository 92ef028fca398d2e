import { type Address, personOf } from '#server/core/recipient.ts';
import { SendError } from '#server/core/send-failures.ts';
import type { Log } from '#server/platform/log.ts';
import { withoutRecipients } from '#server/platform/log-error.ts';
import type { Page } from './library.ts';
import { canAddressPerson, lookUpPerson } from './page/look-up.ts';
import { asError, TimeoutError } from './timeout.ts';

interface LookUpsOptions {
  log: Log;
  page(): Page;
  /** Runs a call into the page, with a time limit. */
  call<T>(what: string, work: () => Promise<T>): Promise<T>;
}

/** WhatsApp's status for too many look-ups. */
const TOO_MANY = 429;

/** Finds out who is on WhatsApp. One for each document. */
export class LookUps {
  readonly #o: LookUpsOptions;
  /** The unexpected answer about the number itself, which switched look-ups off. */
  #unexpected: string | null = null;
  /** The look-up of the number itself was refused, so the next one would be too. */
  #refused = false;

  constructor(options: LookUpsOptions) {
    this.#o = options;
  }

  /**
   * Looks up the number itself, because that answer is known. An unexpected answer switches look-ups off; people
   * that the page can address without a look-up still get messages. True if the server answered at all.
   */
  async checkOwn(phone: string): Promise<boolean> {
    const { log } = this.#o;
    try {
      const answer = await this.#ask(phone);
      if ('status' in answer) {
        this.#refused = answer.status === TOO_MANY;
        const { status, text } = answer;
        log.warn({ status, text: withoutRecipients(text) }, 'the number itself could not be looked up');
        return answer.status !== null;
      }
      if ('unexpected' in answer) this.#unexpected = answer.unexpected;
      else if (answer.wid === null) this.#unexpected = 'null for the number itself';
      else if (answer.wid !== `${phone}@c.us` && !answer.wid.endsWith('@lid'))
        this.#unexpected = 'another number for the number itself';
      if (this.#unexpected !== null)
        log.error(
          { answer: this.#unexpected },
          'look-ups are switched off: WhatsApp Web answers them differently',
        );
      return true;
    } catch (error) {
      log.warn({ err: error }, 'the number itself could not be looked up');
      return false;
    }
  }

  async lookUp(digits: string): Promise<Address | null> {
    if (this.#unexpected !== null) throw new SendError(true, 'look_ups_changed', this.#unexpected);
    if (this.#refused) {
      this.#refused = false;
      throw new SendError(true, 'look_ups', 'the number itself could not be looked up');
    }
    const answer = await this.#ask(digits).catch((thrown: unknown) => {
      const reason = thrown instanceof TimeoutError ? 'timeout' : 'page';
      throw new SendError(true, reason, asError(thrown).message, { cause: thrown });
    });
    if ('unexpected' in answer) throw new SendError(true, 'look_ups_changed', answer.unexpected);
    if ('wid' in answer) return answer.wid;
    throw new SendError(true, answer.status === TOO_MANY ? 'look_ups' : 'page', answer.text);
  }

  /** Can the page address this person without asking WhatsApp? */
  canAddress(address: Address): Promise<boolean> {
    const { page, call } = this.#o;
    return call('the known addresses', () => page().evaluate(canAddressPerson, address));
  }

  #ask(digits: string): ReturnType<typeof lookUpPerson> {
    const { page, call } = this.#o;
    return call('the look-up', () => page().evaluate(lookUpPerson, personOf(digits)));
  }
}

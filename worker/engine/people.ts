import type { LookUp } from '#server/core/engine.ts';
import { SendError } from '#server/core/send-failures.ts';
import type { Log } from '#server/platform/log.ts';
import { asError, DeadlineError } from './deadline.ts';
import type { Page } from './library.ts';
import { canAddressPerson, lookUpPerson } from './page-look-up.ts';

interface PeopleOptions {
  log: Log;
  page(): Page;
  /** Runs a call into the page, with its limit. */
  call<T>(what: string, work: () => Promise<T>): Promise<T>;
}

/** WhatsApp's status for too many questions. */
const TOO_MANY = 429;

/** Who is on WhatsApp, asked of the page of now. One for each document. */
export class People {
  readonly #o: PeopleOptions;
  /** The answer about oneself that was none: nobody is looked up any more. */
  #odd: string | null = null;
  /** The question about oneself was refused: the next one would be, too. */
  #refused = false;

  constructor(options: PeopleOptions) {
    this.#o = options;
  }

  /**
   * Asks for the number itself, whose answer is known. An odd answer switches look-ups off: people that the page can
   * address are still written to. True when the server answered, whatever it was.
   */
  async prove(phone: string): Promise<boolean> {
    const { log } = this.#o;
    try {
      const answer = await this.#ask(phone);
      if ('status' in answer) {
        this.#refused = answer.status === TOO_MANY;
        log.warn({ answer }, 'the own number could not be looked up');
        return answer.status !== null;
      }
      if ('odd' in answer) this.#odd = answer.odd;
      else if (answer.wid !== `${phone}@c.us` && !answer.wid?.endsWith('@lid'))
        this.#odd = `${answer.wid} for the own number`;
      if (this.#odd !== null)
        log.error({ answer: this.#odd }, 'look-ups are off: WhatsApp Web answers them differently');
      return true;
    } catch (error) {
      log.warn({ err: error }, 'the own number could not be looked up');
      return false;
    }
  }

  async lookUp(digits: string): Promise<LookUp> {
    if (this.#odd !== null) throw new SendError(true, 'look_ups_changed', this.#odd);
    if (this.#refused) {
      this.#refused = false;
      throw new SendError(true, 'look_ups', 'the own number could not be looked up');
    }
    const answer = await this.#ask(digits).catch((thrown: unknown) => {
      const reason = thrown instanceof DeadlineError ? 'timeout' : 'page';
      throw new SendError(true, reason, asError(thrown).message, { cause: thrown });
    });
    if ('odd' in answer) throw new SendError(true, 'look_ups_changed', answer.odd);
    if ('wid' in answer) return answer.wid === null ? 'absent' : 'known';
    throw new SendError(true, answer.status === TOO_MANY ? 'look_ups' : 'page', answer.text);
  }

  /** Can the page address this person without a question to WhatsApp? */
  canAddress(digits: string): Promise<boolean> {
    const { page, call } = this.#o;
    return call('whom the page knows', () => page().evaluate(canAddressPerson, `${digits}@c.us`));
  }

  #ask(digits: string): ReturnType<typeof lookUpPerson> {
    const { page, call } = this.#o;
    return call('the look-up', () => page().evaluate(lookUpPerson, `${digits}@c.us`));
  }
}

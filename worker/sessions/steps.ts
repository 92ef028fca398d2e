import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '#server/platform/log.ts';
import { Mailbox } from './mailbox.ts';

interface StepsOptions {
  log: Log;
  /** No step is begun any more, and none taken again. */
  isStopping(): boolean;
  /** A step fails for good. Called in its turn. */
  onGivenUp(): Promise<void>;
}

/** A step that fails, because the database is away, is taken again after this, so often. */
const STEP_AGAIN_MS = 1000;
const STEP_TRIES = 30;

/** The steps of one number's session, one after the other. */
export class Steps {
  readonly #o: StepsOptions;
  readonly #mail: Mailbox;

  constructor(options: StepsOptions) {
    this.#o = options;
    this.#mail = new Mailbox((error) => options.log.error({ err: error }, 'a step of the session failed'));
  }

  /** Takes a step, in its turn. One that fails is taken again: what it had to tell may be told only once. */
  post(task: () => Promise<void>, isCurrent: () => boolean = () => true): void {
    void this.#mail.run(async () => {
      for (let tries = 1; !this.#o.isStopping() && isCurrent(); tries++) {
        try {
          return await task();
        } catch (error) {
          this.#o.log.warn({ err: error }, 'a step of the session failed');
          if (tries === STEP_TRIES) return this.#o.onGivenUp();
          await delay(STEP_AGAIN_MS);
        }
      }
    });
  }

  /** Takes the last step, in its turn, also while stopping. Resolves when it is over, whatever came of it. */
  end(task: () => Promise<void>): Promise<void> {
    return this.#mail.run(task);
  }
}

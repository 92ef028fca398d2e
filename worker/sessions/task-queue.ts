import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '#server/platform/log.ts';

interface TaskQueueOptions {
  log: Log;
  /** No more tasks start, and none is retried. */
  isStopping(): boolean;
  /** A task failed permanently. Called before the next task runs. */
  onGivenUp(): Promise<void>;
}

/** Tasks fail when the database is not available. Each is tried this many times, with this delay. */
const RETRY_MS = 1000;
const TRIES_MAX = 30;

/** The tasks of one number's session. They run one after the other, in the order in which they were posted. */
export class TaskQueue {
  readonly #o: TaskQueueOptions;
  #last: Promise<void> = Promise.resolve();

  constructor(options: TaskQueueOptions) {
    this.#o = options;
  }

  /**
   * Adds a task, which runs if `isCurrent` when its turn comes. A task that fails is retried, because the page reports
   * an event only once: also if it has closed the session whose event it handles.
   */
  post(task: () => Promise<void>, isCurrent: () => boolean = () => true): void {
    void this.#run(async () => {
      if (!isCurrent()) return;
      for (let tries = 1; !this.#o.isStopping(); tries++) {
        try {
          return await task();
        } catch (error) {
          this.#o.log.warn({ err: error }, 'a task of the session failed');
          if (tries === TRIES_MAX) return this.#o.onGivenUp();
          await delay(RETRY_MS);
        }
      }
    });
  }

  /** Adds the last task, which also runs while stopping. Resolves when it has ended, even if it failed. */
  end(task: () => Promise<void>): Promise<void> {
    return this.#run(task);
  }

  #run(task: () => Promise<void>): Promise<void> {
    this.#last = this.#last
      .then(task)
      .catch((error: unknown) => this.#o.log.error({ err: error }, 'a task of the session failed'));
    return this.#last;
  }
}

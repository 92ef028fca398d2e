import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '#server/platform/db/client.ts';
import { type Attempted, recordAttempts } from '#server/webhooks/queries/deliveries.ts';

/** The least time between the starts of two writes, so that under load each write stores more attempts. */
const APART_MS = 200;

interface Waiting {
  attempted: Attempted;
  written: PromiseWithResolvers<void>;
}

/** Stores the attempts of all endpoints of this process. Those that arrive during a write are the next write. */
export class AttemptWriter {
  readonly #database: Database;
  #waiting: Waiting[] = [];
  #writing = false;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Resolves when the attempt is stored. */
  write(attempted: Attempted): Promise<void> {
    const written = Promise.withResolvers<void>();
    this.#waiting.push({ attempted, written });
    if (!this.#writing) void this.#writeAll();
    return written.promise;
  }

  async #writeAll(): Promise<void> {
    this.#writing = true;
    while (this.#waiting.length > 0) {
      const begunAt = performance.now();
      const batch = this.#waiting;
      this.#waiting = [];
      const attempts = batch.map(({ attempted }) => attempted);
      await recordAttempts(this.#database, attempts).then(
        () => {
          for (const { written } of batch) written.resolve();
        },
        (error: unknown) => {
          for (const { written } of batch) written.reject(error);
        },
      );
      await delay(Math.max(0, begunAt + APART_MS - performance.now()));
    }
    this.#writing = false;
  }
}

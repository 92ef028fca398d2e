import type { Database } from '#server/platform/db/client.ts';
import { log } from '#server/platform/log.ts';
import { metrics } from '#server/platform/metrics/metrics.ts';
import { singleton } from '#server/platform/singleton.ts';
import { insertRequests, type LoggedRequest } from './queries/requests.ts';

export type { LoggedRequest } from './queries/requests.ts';

/** Requests that wait to be written; beyond this they are dropped, so that a slow database costs no memory. */
const WAITING_MAX = 5_000;
const FLUSH_MS = 500;
/** Rows per statement. */
const BATCH = 500;
/** At an orderly stop the rest is dropped after this time. */
const STOP_MS = 2_000;

/** The requests that a process has answered but not yet written to the log. */
export class RequestLog {
  readonly #database: Database;
  #waiting: LoggedRequest[] = [];
  #writing: Promise<void> | null = null;
  #timer: NodeJS.Timeout | undefined;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Keeps a request for the next write. Never waits and never throws. */
  add(request: LoggedRequest): void {
    if (this.#waiting.length >= WAITING_MAX) return void metrics().requestsDropped.inc();
    this.#waiting.push(request);
    this.#timer ??= setTimeout(() => void this.flush(), FLUSH_MS).unref();
  }

  /** Writes all that wait. Resolves when they are written or dropped. */
  flush(): Promise<void> {
    this.#writing ??= this.#write().finally(() => {
      this.#writing = null;
    });
    return this.#writing;
  }

  /** {@link flush}, for a limited time. */
  async stop(): Promise<void> {
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, STOP_MS);
    await Promise.race([this.flush(), late]);
    clearTimeout(timer);
  }

  async #write(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.slice(0, BATCH);
      await insertRequests(this.#database, batch).catch((error: unknown) => {
        metrics().requestsDropped.inc(batch.length);
        log.warn({ err: error, requests: batch.length }, 'requests not logged');
      });
      // Removed only now, because rows that are being written also take memory.
      this.#waiting.splice(0, batch.length);
    }
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}

const current = singleton<{ log: RequestLog | null }>('request-log', () => ({ log: null }));

/** Starts to keep requests. Resolves to a function that writes the rest and stops. */
export function startRequestLog({ database }: { database: Database }): () => Promise<void> {
  const requests = new RequestLog(database);
  current().log = requests;
  return async () => {
    current().log = null;
    await requests.stop();
  };
}

/** Logs a request. Does nothing in a process that keeps no log. `describe` is called only if it does. */
export function logRequest(describe: () => LoggedRequest): void {
  const { log: requests } = current();
  if (requests) requests.add(describe());
}

import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { Database } from '#server/platform/db/client.ts';
import type { Log } from '#server/platform/log.ts';
import { WEBHOOK_CHANNEL } from '#server/webhooks/queries/deliveries.ts';
import { hasEndpoints } from '#server/webhooks/queries/endpoints.ts';

/** The pause before a thread that has failed is started again. */
const AGAIN_AFTER_MS = 1000;
/** Longer than a request to an endpoint. */
const STOPS_WITHIN_MS = 15_000;
/** Of the thread's heap: events do not live long. Node's default would take 30 MB more. */
const YOUNG_MEGABYTES = 6;

interface WebhookThreadOptions {
  database: Database;
  /** Of the same database: the thread has its own connections. */
  databaseUrl: string;
  log: Log;
}

/**
 * Delivers webhooks in a thread of lower priority, so that many events do not slow down sends. The thread starts
 * when the first endpoint exists, because it takes some 50 MB. A thread that fails is started again.
 */
export class WebhookThread {
  readonly #options: WebhookThreadOptions;
  #thread: Worker | null = null;
  #running: Promise<void> | null = null;
  #stopping = false;
  #unlisten = async () => {};

  constructor(options: WebhookThreadOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    const { database, log } = this.#options;
    const begin = () => {
      this.#running ??= this.#keepRunning();
      // The thread listens for itself.
      void this.#unlisten();
    };
    const look = async () => {
      if (await hasEndpoints(database)) begin();
    };
    const listening = await database.pool.listen(
      WEBHOOK_CHANNEL,
      begin,
      // Also after a lost connection, which may have lost the first event.
      () =>
        void look().catch((error: unknown) => log.warn({ err: error }, 'webhooks could not be looked for')),
    );
    this.#unlisten = listening.unlisten;
    if (this.#running) await this.#unlisten();
  }

  /** Resolves when no request is in progress. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await this.#unlisten();
    this.#thread?.postMessage('stop');
    const stopped = new AbortController();
    const forced = delay(STOPS_WITHIN_MS, undefined, { signal: stopped.signal });
    await Promise.race([this.#running, forced.then(() => this.#thread?.terminate())]);
    stopped.abort();
  }

  async #keepRunning(): Promise<void> {
    while (!this.#stopping) {
      const err = await this.#run();
      if (this.#stopping) return;
      this.#options.log.error({ err }, 'the thread that delivers webhooks ended; it is started again');
      await delay(AGAIN_AFTER_MS);
    }
  }

  /** Resolves when the thread has ended, to its error if it failed. */
  #run(): Promise<Error | null> {
    const thread = new Worker(new URL('./run-thread.ts', import.meta.url), {
      workerData: { databaseUrl: this.#options.databaseUrl },
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MEGABYTES },
    });
    this.#thread = thread;
    const { promise: ended, resolve } = Promise.withResolvers<Error | null>();
    thread.once('error', resolve);
    thread.once('exit', () => resolve(null));
    return ended;
  }
}

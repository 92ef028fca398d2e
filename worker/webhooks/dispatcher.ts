import type { PgBoss } from 'pg-boss';
import { runPeriodically } from '#server/platform/run-periodically.ts';
import { dueEndpoints } from '#server/webhooks/queries/deliveries.ts';
import { AttemptWriter } from './attempt-writer.ts';
import { type DelivererOptions, deliverDue } from './deliverer.ts';

/** A lost notification, or a process that was killed, delays an event by this. */
const SWEEP_MS = 5000;
const OVERDUE_MS = 20_000;
/** Within the time after which the queue takes a job for dead. */
const DRAIN_MS_MAX = 30_000;
/** Endpoints that one process delivers to at the same time. */
const ENDPOINTS_MAX = 50;

interface Job {
  endpointId: string;
}

/**
 * Delivers webhooks: a notification of the database files a job for its endpoint, the queue gives the job to one
 * process, and that delivers what is due. A sweep files a job for whatever was missed.
 */
export class WebhookDispatcher {
  readonly #boss: PgBoss;
  readonly #options: DelivererOptions;
  readonly #stopping = new AbortController();
  readonly #draining = new Map<string, Promise<void>>();
  /** Endpoints that have had something new since their last job began. */
  readonly #woken = new Set<string>();
  #filing: Promise<void> | null = null;
  #stopSweep = async () => {};
  #unlisten = async () => {};

  constructor(options: Omit<DelivererOptions, 'writer'> & { boss: PgBoss }) {
    this.#boss = options.boss;
    this.#options = { ...options, writer: new AttemptWriter(options.database) };
  }

  async start(): Promise<void> {
    const { database } = this.#options;
    const sweep = async () => {
      const due = await dueEndpoints(database, { overdueMs: OVERDUE_MS });
      for (const { endpointId, overdue } of due) {
        // Its job belongs to a process that was killed.
        if (overdue && !this.#draining.has(endpointId)) this.#drain(null, { endpointId });
        else this.#woken.add(endpointId);
      }
      await this.#fileAndTake();
    };
    const { unlisten } = await database.sql.listen('wirebird_webhook', (endpointId) =>
      this.#wake(endpointId),
    );
    this.#unlisten = unlisten;
    this.#stopSweep = runPeriodically(sweep, {
      everyMs: SWEEP_MS,
      failed: 'webhooks could not be looked for',
    });
    await sweep();
  }

  /** Resolves when no request is under way. What is left is taken over by another process. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#unlisten();
    await this.#stopSweep();
    await this.#filing;
    await Promise.all(this.#draining.values());
  }

  #wake(endpointId: string): void {
    this.#woken.add(endpointId);
    // One that is being delivered to looks again itself.
    if (this.#draining.has(endpointId)) return;
    this.#filing ??= this.#fileAndTake()
      .catch((error: unknown) => this.#options.log.warn({ err: error }, 'webhook jobs could not be filed'))
      .finally(() => {
        this.#filing = null;
        const [next] = [...this.#woken].filter((id) => !this.#draining.has(id));
        if (next !== undefined && !this.#stopping.signal.aborted) this.#wake(next);
      });
  }

  async #fileAndTake(): Promise<void> {
    if (this.#stopping.signal.aborted) return;
    const woken = [...this.#woken].filter((id) => !this.#draining.has(id));
    for (const id of woken) this.#woken.delete(id);
    const jobs = woken.map((endpointId) => ({ data: { endpointId }, singletonKey: endpointId }));
    if (jobs.length > 0) await this.#boss.insert('webhook', jobs);
    const batchSize = ENDPOINTS_MAX - this.#draining.size;
    if (batchSize <= 0) return;
    for (const { id, data } of await this.#boss.fetch<Job>('webhook', { batchSize })) this.#drain(id, data);
  }

  #drain(jobId: string | null, { endpointId }: Job): void {
    const { log } = this.#options;
    this.#woken.delete(endpointId);
    const signal = AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(DRAIN_MS_MAX)]);
    const draining = deliverDue(this.#options, { endpointId, signal })
      .catch((error: unknown) => log.error({ err: error, endpointId }, 'webhooks were not delivered'))
      .then(() => (jobId === null ? undefined : this.#boss.complete('webhook', jobId)))
      .catch((error: unknown) => log.error({ err: error, endpointId }, 'a webhook job was not completed'))
      .finally(() => {
        this.#draining.delete(endpointId);
        // What came meanwhile had no job of its own, nor has what the time did not suffice for.
        if (this.#woken.has(endpointId) || signal.aborted) this.#wake(endpointId);
      })
      .then(() => {});
    this.#draining.set(endpointId, draining);
  }
}

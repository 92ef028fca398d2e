import { setTimeout as delay } from 'node:timers/promises';
import type { PgBoss } from 'pg-boss';
import { runPeriodically } from '#server/platform/run-periodically.ts';
import {
  dueEndpoints,
  ENDPOINT_CHANNEL,
  endpointPaces,
  WEBHOOK_CHANNEL,
} from '#server/webhooks/queries/deliveries.ts';
import { AttemptWriter } from './attempt-writer.ts';
import { Bell } from './bell.ts';
import { type DelivererOptions, deliverDue, SLOW_MS } from './deliverer.ts';

/** A lost notification delays an event by at most this. */
const SWEEP_MS = 5000;
/** An event that is due for this long without a claim: the process that has the endpoint's job was killed. */
const ABANDONED_MS = 3000;
/** Jobs are added together, at most this often, because every event sends a notification. */
const FILED_EVERY_MS = 50;
/** Shorter than the time after which the queue considers a job dead. */
const DRAIN_MS_MAX = 30_000;
/** Endpoints that one process delivers to at the same time. Those that answered slowly have their own places. */
const PLACES = { fast: 64, slow: 16 } as const;
/** By their priority the queue finds the jobs of each. */
const PRIORITY = { fast: 0, slow: -1 } as const;

type Pace = keyof typeof PLACES;

interface Job {
  endpointId: string;
}

/**
 * Delivers webhooks. A database notification adds a job for its endpoint, the queue gives the job to one process,
 * and that process delivers what is due. A sweep adds jobs for missed events. Of the places for endpoints, an account
 * gets at most half of those that are free, so that there is always one for the next account.
 */
export class WebhookDispatcher {
  readonly #boss: PgBoss;
  readonly #options: DelivererOptions;
  readonly #stopping = new AbortController();
  readonly #draining = new Map<string, { pace: Pace; bell: Bell; changed: Bell; done: Promise<void> }>();
  /** Endpoints that need a job. */
  readonly #woken = new Set<string>();
  /** Endpoints whose jobs may wait for a place. */
  readonly #filed = new Map<string, Pace>();
  #filing: Promise<void> | null = null;
  #stopSweep = async () => {};
  #unlisten = async () => {};

  constructor(options: Omit<DelivererOptions, 'writer'> & { boss: PgBoss }) {
    this.#boss = options.boss;
    this.#options = { ...options, writer: new AttemptWriter(options.database) };
  }

  async start(): Promise<void> {
    const { database } = this.#options;
    const { unlisten } = await database.pool.listen(WEBHOOK_CHANNEL, (endpointId) => this.#wake(endpointId));
    const changes = await database.pool.listen(ENDPOINT_CHANNEL, (endpointId) =>
      this.#draining.get(endpointId)?.changed.ring(),
    );
    this.#unlisten = async () => void (await Promise.all([unlisten(), changes.unlisten()]));
    this.#stopSweep = runPeriodically(() => this.#sweep(), {
      everyMs: SWEEP_MS,
      failed: 'webhooks could not be looked for',
    });
    await this.#sweep();
  }

  /** Resolves when no request is in progress. Another process delivers the remaining events. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    for (const { bell } of this.#draining.values()) bell.ring();
    await this.#unlisten();
    await this.#stopSweep();
    await this.#filing;
    await Promise.all([...this.#draining.values()].map(({ done }) => done));
  }

  async #sweep(): Promise<void> {
    const due = await dueEndpoints(this.#options.database, { abandonedMs: ABANDONED_MS });
    // Other processes have taken some of them.
    this.#filed.clear();
    for (const { endpointId, abandoned } of due) {
      if (abandoned && !this.#draining.has(endpointId)) await this.#endJobs(endpointId);
      this.#wake(endpointId);
    }
  }

  /** Ends the job of a killed process. Until it expires, the queue gives the endpoint to no other process. */
  async #endJobs(endpointId: string): Promise<void> {
    const jobs = await this.#boss.findJobs('webhook', { key: endpointId });
    const begun = jobs.filter(({ state }) => state === 'active').map(({ id }) => id);
    if (begun.length > 0) await this.#boss.complete('webhook', begun);
  }

  #wake(endpointId: string): void {
    const draining = this.#draining.get(endpointId);
    if (draining) draining.bell.ring();
    else {
      this.#woken.add(endpointId);
      this.#file();
    }
  }

  #file(): void {
    this.#filing ??= this.#fileAndTake()
      .catch((error: unknown) => this.#options.log.warn({ err: error }, 'webhook jobs could not be filed'))
      .then(() => delay(FILED_EVERY_MS))
      .finally(() => {
        this.#filing = null;
        if (this.#woken.size > 0 && !this.#stopping.signal.aborted) this.#file();
      });
  }

  async #fileAndTake(): Promise<void> {
    if (this.#stopping.signal.aborted) return;
    const endpointIds = [...this.#woken];
    this.#woken.clear();
    if (endpointIds.length > 0) await this.#insert(endpointIds);
    for (const pace of new Set(this.#filed.values())) await this.#take(pace);
  }

  async #insert(endpointIds: string[]): Promise<void> {
    const paces = await endpointPaces(this.#options.database, { endpointIds });
    const jobs = paces.map(({ endpointId, accountId, lastDurationMs }) => {
      const pace: Pace = (lastDurationMs ?? 0) > SLOW_MS ? 'slow' : 'fast';
      this.#filed.set(endpointId, pace);
      const group = { id: `${pace} ${accountId}` };
      return { data: { endpointId }, singletonKey: endpointId, priority: PRIORITY[pace], group };
    });
    if (jobs.length > 0) await this.#boss.insert('webhook', jobs);
  }

  async #take(pace: Pace): Promise<void> {
    const ofPace = pace === 'fast' ? { minPriority: PRIORITY.fast } : { maxPriority: PRIORITY.slow };
    for (let taken = 1; taken > 0; ) {
      const used = [...this.#draining.values()].filter((one) => one.pace === pace).length;
      const free = PLACES[pace] - used;
      if (free <= 0 || this.#stopping.signal.aborted) return;
      const half = Math.ceil(free / 2);
      const jobs = await this.#boss.fetch<Job>('webhook', {
        ...ofPace,
        batchSize: half,
        groupConcurrency: half,
      });
      for (const { id, data } of jobs) this.#drain(id, data, pace);
      taken = jobs.length;
    }
  }

  #drain(jobId: string, { endpointId }: Job, pace: Pace): void {
    this.#filed.delete(endpointId);
    const { log } = this.#options;
    const [bell, changed] = [new Bell(), new Bell()];
    const signal = AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(DRAIN_MS_MAX)]);
    let more = false;
    const done = deliverDue(this.#options, { endpointId, bell, changed, signal })
      .then((may) => {
        more = may;
      })
      .catch((error: unknown) => log.error({ err: error, endpointId }, 'webhooks were not delivered'))
      .then(() => this.#boss.complete('webhook', jobId))
      .catch((error: unknown) => log.error({ err: error, endpointId }, 'a webhook job was not completed'))
      .then(() => {
        this.#draining.delete(endpointId);
        // Events that came meanwhile, or for which there was no time, have no job.
        if (bell.rung || more) this.#wake(endpointId);
        else if (this.#filed.size > 0) this.#file();
      });
    this.#draining.set(endpointId, { pace, bell, changed, done });
  }
}

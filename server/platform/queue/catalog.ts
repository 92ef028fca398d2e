import type { Queue, WorkOptions } from 'pg-boss';
import { z } from 'zod';

export interface QueueEntry {
  /** IDs only: the row that they name decides what is done. */
  payload: z.ZodObject;
  /** Retries, backoff, dead letter, expiry. A dead letter queue must come before the queue that names it. */
  queue: Omit<Queue, 'name'>;
  /** Batch, concurrency and polling interval of each worker process. */
  work: WorkOptions;
  /** Creates a job with an empty payload on this schedule. */
  cron?: string;
}

/** Every queue of the product: a new one is one entry here and one handler in `worker/jobs`. */
export const catalog = {
  /** A message was accepted for this number. */
  send: {
    payload: z.object({ numberId: z.string() }),
    queue: { retryLimit: 0, expireInSeconds: 60, deleteAfterSeconds: 600 },
    work: { batchSize: 1000, burstWhenBatchFull: true, pollingIntervalSeconds: 2 },
  },
  /** Something is due at this webhook endpoint: one process at a time delivers to it. */
  webhook: {
    payload: z.object({ endpointId: z.string() }),
    queue: { policy: 'exclusive', retryLimit: 0, expireInSeconds: 60, deleteAfterSeconds: 600 },
    work: { batchSize: 50 },
  },
  /** Deletes data whose retention is over: each minute, in one worker at a time. */
  retention: {
    payload: z.object({}),
    queue: { policy: 'exclusive', retryLimit: 0, expireInSeconds: 900, deleteAfterSeconds: 3600 },
    work: { pollingIntervalSeconds: 5 },
    cron: '* * * * *',
  },
  /** Compares the counts of finished days with the messages: each night, in one worker. */
  counts: {
    payload: z.object({}),
    queue: { policy: 'exclusive', retryLimit: 0, expireInSeconds: 3600, deleteAfterSeconds: 86_400 },
    work: { pollingIntervalSeconds: 30 },
    cron: '23 3 * * *',
  },
} as const satisfies Record<string, QueueEntry>;

export type QueueName = keyof typeof catalog;
export type Payload<Name extends QueueName> = z.infer<(typeof catalog)[Name]['payload']>;

import { z } from 'zod';

/**
 * The jobs of the product, as data. A payload holds ids only: a job is a wake-up, and the row that it names
 * decides what is done, so a job that is lost, doubled or late changes nothing.
 */
export const catalog = {
  /**
   * "This number has work": one queue for each number, worked by the holder of its lease alone.
   */
  send: {
    queueOf: (numberId: string) => `send.${numberId}`,
    payload: z.object({ messageId: z.string() }),
    queue: { notify: true, policy: 'standard', retryLimit: 0, expireInSeconds: 60, deleteAfterSeconds: 600 },
    /**
     * Wake-ups are taken in heaps: the first one already does what the others ask for. Polling only clears jobs
     * away whose notification was lost; the supervisor's sweep has found their messages long before.
     */
    work: { batchSize: 100, pollingIntervalSeconds: 30, notifyPollingIntervalSeconds: 60 },
  },
  /**
   * "Erase what was kept for long enough": filed each minute, worked by one worker at a time, whichever comes.
   */
  retention: {
    name: 'retention',
    cron: '* * * * *',
    payload: z.object({}),
    queue: {
      notify: true,
      policy: 'exclusive',
      retryLimit: 0,
      expireInSeconds: 900,
      deleteAfterSeconds: 3600,
    },
    work: { batchSize: 1, pollingIntervalSeconds: 15, notifyPollingIntervalSeconds: 30 },
  },
} as const;

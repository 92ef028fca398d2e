/** A shorter wait needs no explanation. */
const WAIT_MS_MIN = 1000;

/** Whether a message waited for its turn long enough to say so. */
export const hasWaited = (waitedMs: number | null): waitedMs is number =>
  waitedMs !== null && waitedMs >= WAIT_MS_MIN;

import { log } from './log.ts';

/**
 * Runs `work` every `everyMs`, never concurrently, until stopped. A failure is logged as `failed`, and the next
 * run tries again. Stopping waits for the current run.
 */
export function runPeriodically(
  work: () => Promise<unknown>,
  options: { everyMs: number; failed: string },
): () => Promise<void> {
  let working: Promise<void> | null = null;
  const timer = setInterval(() => {
    working ??= work()
      .then(
        () => {},
        (error: unknown) => log.warn({ err: error }, options.failed),
      )
      .finally(() => {
        working = null;
      });
  }, options.everyMs);
  return async () => {
    clearInterval(timer);
    await working;
  };
}

import { log } from './log.ts';

/**
 * Does `work` every `everyMs`, never twice at once, until stopped; a failure is logged as `failed` and the next
 * turn tries again. Stopping waits for what is under way.
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

import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '#server/core/errors.ts';
import { log } from '#server/platform/log.ts';

const AGAIN_MS = 500;

/**
 * Retries `work` while the database is unreachable, until `untilMs` (clock of `performance.now()`); then throws
 * what `givenUp` makes. Used after an acceptance, because an accepted message must not be reported as refused, and
 * at the start of a process. Throws an AppError of `work` at once.
 */
export async function retryUntil<T>(
  work: () => Promise<T>,
  untilMs: number,
  givenUp: () => AppError,
  failed = 'an accepted message cannot be looked at yet',
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    if (Number.isFinite(untilMs))
      timer = setTimeout(() => reject(givenUp()), Math.max(0, untilMs - performance.now()) + AGAIN_MS);
  });
  late.catch(() => {});
  try {
    for (;;) {
      try {
        return await Promise.race([work(), late]);
      } catch (error) {
        if (error instanceof AppError) throw error;
        log.warn({ err: error }, failed);
        if (performance.now() >= untilMs) throw givenUp();
        await delay(AGAIN_MS);
      }
    }
  } finally {
    clearTimeout(timer);
  }
}

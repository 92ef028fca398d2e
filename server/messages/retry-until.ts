import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '#server/core/errors.ts';
import { log } from '#server/platform/log.ts';

const AGAIN_MS = 500;

/**
 * Does `work` on the database, again and again while that is out of reach, until `untilMs` (clock of
 * `performance.now()`); then throws what `givenUp` makes. For what follows an acceptance: a message on its
 * way must not be called refused because the database is away. An AppError of `work` is thrown at once.
 */
export async function retryUntil<T>(
  work: () => Promise<T>,
  untilMs: number,
  givenUp: () => AppError,
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
        log.warn({ err: error }, 'an accepted message cannot be looked at yet');
        if (performance.now() >= untilMs) throw givenUp();
        await delay(AGAIN_MS);
      }
    }
  } finally {
    clearTimeout(timer);
  }
}

import { setTimeout as delay } from 'node:timers/promises';
import { isUnreachable } from './media-errors.ts';

/** Time as the fetcher knows it; tests lend it one of their own. */
export interface Clock {
  /** In ms, from any beginning. */
  now(): number;
  /** Rejects with the signal's reason when it aborts. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
}

export const realClock: Clock = {
  now: () => performance.now(),
  wait: (ms, signal) =>
    delay(ms, undefined, { signal }).catch((error: unknown) => {
      signal.throwIfAborted();
      throw error;
    }),
};

/**
 * How long after its beginning a file is reported as unreachable: so long, or twice, three times it. A name
 * that leads inside, one that does not exist and a connection that is refused take milliseconds each, but not
 * the same: reported at once, they would tell the inside of the network from its outside.
 */
export const BEAT_MS = 2000;

/**
 * Runs `hop`; when it finds its file unreachable, says so at the next full {@link BEAT_MS}, not before. The
 * signal's time limit is never exceeded: when it aborts, its reason is given at once.
 */
export async function answerOnBeat<T>(
  hop: () => Promise<T>,
  { clock, signal }: { clock: Clock; signal: AbortSignal },
): Promise<T> {
  const began = clock.now();
  try {
    return await hop();
  } catch (error) {
    if (isUnreachable(error)) {
      signal.throwIfAborted();
      const taken = clock.now() - began;
      const beats = Math.max(1, Math.ceil(taken / BEAT_MS));
      await clock.wait(beats * BEAT_MS - taken, signal);
    }
    throw error;
  }
}

import { setTimeout as delay } from 'node:timers/promises';
import { isUnreachable } from './media-errors.ts';

/** The fetcher's clock, which tests replace. */
export interface Clock {
  /** In ms, from an arbitrary start. */
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
 * An unreachable file is reported after a multiple of this time. An internal name, an unknown name and a refused
 * connection take different times, which would otherwise reveal the inside of the network.
 */
export const BEAT_MS = 2000;

/**
 * Runs `hop`. Reports an unreachable file at the next multiple of {@link BEAT_MS}. If the signal aborts, throws
 * its reason at once.
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

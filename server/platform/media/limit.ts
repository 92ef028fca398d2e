import { untilAborted } from './network.ts';

/** Runs `task` as soon as fewer tasks of its key run than the limit, in the order of the calls. */
export type KeyedLimiter = <T>(key: string, task: () => Promise<T>, signal?: AbortSignal) => Promise<T>;

/**
 * Limits how many tasks of a key run at once in this process. Keys do not wait for each other. If a caller's
 * signal aborts while it waits, its call rejects with the signal's reason; a running task must stop itself.
 */
export function createKeyedLimiter(runningMax: number): KeyedLimiter {
  const lanes = new Map<string, { running: number; waiting: Set<() => void> }>();

  async function enter(key: string, signal: AbortSignal): Promise<void> {
    const lane = lanes.get(key) ?? { running: 0, waiting: new Set() };
    lanes.set(key, lane);
    if (lane.running < runningMax) {
      lane.running += 1;
      return;
    }
    await untilAborted<void>(signal, (resolve) => {
      lane.waiting.add(resolve);
      return () => lane.waiting.delete(resolve);
    });
  }

  function leave(key: string): void {
    const lane = lanes.get(key);
    if (!lane) return;
    const [next] = lane.waiting;
    if (next) {
      // The place passes straight to the next in line, so that a newcomer cannot slip in between.
      lane.waiting.delete(next);
      next();
      return;
    }
    lane.running -= 1;
    if (lane.running === 0) lanes.delete(key);
  }

  return async (key, task, signal = new AbortController().signal) => {
    signal.throwIfAborted();
    await enter(key, signal);
    try {
      return await task();
    } finally {
      leave(key);
    }
  };
}

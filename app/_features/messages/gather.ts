import type { LiveChanges } from '#app/_trpc/live.tsx';

type Gathered = Pick<LiveChanges, 'messages' | 'all'>;

/**
 * Calls `load` with the changes gathered since its last call, one call at a time, so that an older answer never
 * replaces a newer one. A failed call is not repeated: the stream then begins again and reports `all`.
 */
export function gather(load: (changes: Gathered) => Promise<void>): (changes: Gathered) => void {
  let waiting: Gathered | null = null;
  let running = false;
  const run = async () => {
    running = true;
    while (waiting) {
      const changes = waiting;
      waiting = null;
      await load(changes).catch(() => {});
    }
    running = false;
  };
  return ({ messages, all }) => {
    waiting = {
      messages: [...new Set([...(waiting?.messages ?? []), ...messages])],
      all: all || (waiting?.all ?? false),
    };
    if (!running) void run();
  };
}

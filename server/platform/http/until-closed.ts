import type { ServerResponse } from 'node:http';

/** Resolves when a response is over, written or not. `close` is emitted once, so a listener added later waits forever. */
export function untilClosed(res: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    if (res.closed) resolve();
    else res.once('close', resolve);
  });
}

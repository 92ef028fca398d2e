import type { IncomingMessage, ServerResponse } from 'node:http';

/** What each body may take of the memory in any case, and what all longer ones may take together beyond it. */
const FREE_BYTES = 32 * 1024;
const SHARED_BYTES_MAX = 64 * 1024 * 1024;

let sharedBytes = 0;

export interface BodyLimits {
  bytesMax: number;
  withinMs: number;
}

/** Why a body was not taken in: too long, not there in time, or no memory is left for it. */
export type BodyRefusal = 'large' | 'slow' | 'full';

/**
 * Waits until the body of a request is there, and leaves it in the request to be read: whatever is answered,
 * the client has sent all of it. Resolves to null or to the refusal. A body announced as too long is not read.
 */
export async function takeInBody(
  req: IncomingMessage,
  res: ServerResponse,
  { bytesMax, withinMs }: BodyLimits,
): Promise<BodyRefusal | null> {
  if (Number(req.headers['content-length'] ?? 0) > bytesMax) return 'large';
  if (req.complete || res.closed) return null;
  const { promise, resolve } = Promise.withResolvers<BodyRefusal | null>();
  const chunks: Buffer[] = [];
  let bytes = 0;
  let shared = 0;
  let waiting = true;
  const take = () => {
    // An empty read would end an empty body before anybody looks at it.
    while (req.readableLength > 0) {
      const chunk: Buffer = req.read();
      chunks.push(chunk);
      bytes += chunk.length;
    }
    const more = Math.max(0, bytes - FREE_BYTES) - shared;
    shared += more;
    sharedBytes += more;
    if (bytes > bytesMax) finish('large');
    else if (more > 0 && sharedBytes > SHARED_BYTES_MAX) finish('full');
    else if (req.complete) finish(null);
  };
  const finish = (outcome: BodyRefusal | null) => {
    if (!waiting) return;
    waiting = false;
    clearTimeout(timer);
    req.off('readable', take);
    // In the same turn as the read: the end of the body is announced in the next.
    if (outcome === null && bytes > 0) req.unshift(Buffer.concat(chunks));
    resolve(outcome);
  };
  const timer = setTimeout(() => finish('slow'), withinMs);
  res.once('close', () => {
    sharedBytes -= shared;
    finish(null);
  });
  req.on('readable', take);
  return promise;
}

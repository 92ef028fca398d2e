import type { IncomingMessage, ServerResponse } from 'node:http';
import { createBodyRoom } from './body-room.ts';

const room = createBodyRoom();

export interface BodyLimits {
  bytesMax: number;
  withinMs: number;
  /** Whose body it is. */
  address: string;
}

/** Why a body was refused: too long, too slow, or no memory left. */
export type BodyRefusal = 'large' | 'slow' | 'full';

/**
 * Waits until a request's body has arrived and leaves it in the request for its reader. Resolves to null, or to
 * why the body is refused. A body that is announced as too long is not read.
 */
export async function takeInBody(
  req: IncomingMessage,
  res: ServerResponse,
  { bytesMax, withinMs, address }: BodyLimits,
): Promise<BodyRefusal | null> {
  if (Number(req.headers['content-length'] ?? 0) > bytesMax) return 'large';
  if (req.complete || res.closed) return null;
  const { promise, resolve } = Promise.withResolvers<BodyRefusal | null>();
  const chunks: Buffer[] = [];
  let bytes = 0;
  const share = room(address);
  let fits = true;
  let waiting = true;
  const take = () => {
    // A read without buffered data would end an empty body before its reader starts.
    while (req.readableLength > 0) {
      const chunk: Buffer = req.read();
      chunks.push(chunk);
      bytes += chunk.length;
      fits = share.take(chunk);
    }
    if (bytes > bytesMax) finish('large');
    else if (!fits) finish('full');
    else if (req.complete) finish(null);
  };
  const finish = (outcome: BodyRefusal | null) => {
    if (!waiting) return;
    waiting = false;
    clearTimeout(timer);
    req.off('readable', take);
    // In the same turn as the read, because Node reports the end of the body in the next one.
    if (outcome === null && bytes > 0) req.unshift(Buffer.concat(chunks));
    resolve(outcome);
  };
  const timer = setTimeout(() => finish('slow'), withinMs);
  res.once('close', () => {
    share.give();
    finish(null);
  });
  req.on('readable', take);
  return promise;
}

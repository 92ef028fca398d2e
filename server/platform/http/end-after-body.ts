import type { IncomingMessage, ServerResponse } from 'node:http';

/** What is still taken of a body that is not needed, so that its sender comes to read the answer. */
export const DISCARD_BYTES_MAX = 16 * 1024 * 1024;
export const DISCARD_WITHIN_MS = 10_000;

/**
 * Writes the body of an answer, and ends the answer once the request's own body has passed, within limits.
 * A connection that closes while its client still sends is reset, and the answer is lost on the way.
 */
export function endAfterBody(req: IncomingMessage, res: ServerResponse, body: string | Uint8Array): void {
  if (req.complete) {
    res.end(body);
    return;
  }
  res.write(body);
  let bytes = 0;
  const cut = () => req.destroy();
  const timer = setTimeout(cut, DISCARD_WITHIN_MS);
  req.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > DISCARD_BYTES_MAX) cut();
  });
  req.once('end', () => res.end());
  req.once('close', () => clearTimeout(timer));
  req.on('error', () => {});
  req.resume();
}

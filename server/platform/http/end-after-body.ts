import type { IncomingMessage, ServerResponse } from 'node:http';

/** How much of an unneeded body is read, so that its sender can read the answer. */
const DISCARD_BYTES_MAX = 16 * 1024 * 1024;
const DISCARD_WITHIN_MS = 10_000;

/**
 * Writes an answer's body and ends the answer after the request's body has arrived, within the limits above. An
 * earlier close would reset the connection of a client that still sends, and the answer would be lost.
 */
export function endAfterBody(req: IncomingMessage, res: ServerResponse, body: string | Uint8Array): void {
  if (req.complete || req.destroyed) {
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

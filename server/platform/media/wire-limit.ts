import type { Socket } from 'node:net';

/** Longest status line and headers of an answer, in bytes. */
export const HEADER_BYTES_MAX = 16 * 1024;

/** A server sent far more than the longest permitted answer. */
export class WireLimitError extends Error {}

/**
 * Ends a connection on which far more arrives for one request than an answer with a body of `bodyBytesMax`. No other
 * limit counts interim answers and chunk extensions.
 */
export function limitWireBytes(socket: Socket, bodyBytesMax: number): void {
  const bytesMax = 2 * bodyBytesMax + 16 * HEADER_BYTES_MAX;
  let written = 0;
  let read = 0;
  let readBefore = 0;
  socket.on('readable', () => {
    if (socket.bytesWritten !== written) {
      written = socket.bytesWritten;
      readBefore = read;
    }
    read = socket.bytesRead;
    if (read - readBefore > bytesMax) socket.destroy(new WireLimitError(`more than ${bytesMax} bytes came`));
  });
}

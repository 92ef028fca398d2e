import type { Socket } from 'node:net';
import { HEADER_BYTES_MAX } from './wire-limit.ts';

const CONTINUE = 'HTTP/1.1 100';
const NONE = Buffer.alloc(0);

/**
 * Removes `100 Continue` before an answer. undici skips every other interim answer, but ends the connection on this one
 * if it was not asked for, and real servers send it.
 */
export function skipContinue(socket: Socket): void {
  const read = socket.read.bind(socket);
  let written = -1;
  // What has arrived of an answer's beginning; null once the answer itself has begun.
  let head: Buffer | null = NONE;
  socket.read = (size?: number) => {
    if (size !== undefined) return read(size);
    if (socket.bytesWritten !== written) {
      written = socket.bytesWritten;
      head = NONE;
    }
    for (;;) {
      const chunk = read();
      if (chunk === null || head === null) return chunk;
      head = withoutContinue(Buffer.concat([head, chunk]));
      if (head.length === 0 || mayBeContinue(head)) continue;
      const begun = head;
      head = null;
      return begun;
    }
  };
}

function withoutContinue(head: Buffer): Buffer {
  const end = head.indexOf('\r\n\r\n');
  return end >= 0 && mayBeContinue(head) ? withoutContinue(head.subarray(end + 4)) : head;
}

/** Also for a beginning that is too short to tell. */
function mayBeContinue(head: Buffer): boolean {
  const start = head.toString('latin1', 0, CONTINUE.length).replace('HTTP/1.0', 'HTTP/1.1');
  return head.length <= HEADER_BYTES_MAX && CONTINUE.startsWith(start);
}

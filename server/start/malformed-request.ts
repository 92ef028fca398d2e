import { randomUUID } from 'node:crypto';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { logRefusal } from '../rest/log-refusal.ts';
import { callerAddress } from '../rest/origin.ts';

export const REQUEST_TOO_SLOW = 'The request did not arrive in time. Send it in one go.';

/**
 * Answers a malformed HTTP request in the API's envelope, because its path is not known. Node's own answer has no
 * body.
 */
export function refuseMalformed(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const [status, sentence] = answerFor(error.code);
  const requestId = randomUUID();
  logRefusal({
    ...{ requestId, status: Number.parseInt(status, 10), code: 'malformed', caller: null },
    address: () => callerAddress({ headers: {}, peerAddress: addressOf(socket) }, false),
  });
  const body = JSON.stringify({ success: false, error: sentence });
  const head = [
    `HTTP/1.1 ${status}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    `X-Request-Id: ${requestId}`,
    'X-Error-Code: invalid_parameters',
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

function addressOf(socket: Duplex): string | null {
  return socket instanceof Socket ? (socket.remoteAddress ?? null) : null;
}

function answerFor(code: string | undefined): [status: string, sentence: string] {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return [
        '431 Request Header Fields Too Large',
        'The headers are longer than 16 KiB. Send fewer or shorter ones.',
      ];
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return ['408 Request Timeout', REQUEST_TOO_SLOW];
    default:
      return [
        '400 Bad Request',
        'This is not a valid HTTP/1.1 request. Check the request line and the headers.',
      ];
  }
}

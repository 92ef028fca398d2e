import { randomUUID } from 'node:crypto';
import type { Server, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { logRefusal } from '../rest/log-refusal.ts';
import { callerAddress } from '../rest/origin.ts';

export const REQUEST_TOO_SLOW = 'The request did not arrive in time. Send it in one go.';

/** The requests of each connection that are not answered yet, in their order. */
const unanswered = new WeakMap<Duplex, Set<ServerResponse>>();

/** Node reads a thousand short requests of a connection in one go, and nobody else is served meanwhile. */
const UNANSWERED_MAX = 32;

/**
 * Tracks a request, so that {@link refuseMalformed} does not answer in its place. False if it must not be answered,
 * because its connection had too many unanswered requests and has ended.
 */
export function trackRequest(res: ServerResponse): boolean {
  const { socket } = res.req;
  const ofConnection = unanswered.get(socket) ?? new Set();
  if (ofConnection.size >= UNANSWERED_MAX) socket.destroy();
  if (socket.destroyed) return false;
  unanswered.set(socket, ofConnection.add(res));
  res.once('close', () => ofConnection.delete(res));
  return true;
}

/** Longer than any response is prepared, and any live update is silent. */
const SILENT_MS = 120_000;

/** Ends connections on which nothing moves for this time, or whose client takes longer to read a complete response. */
export function limitSilence(server: Server, silentMs = SILENT_MS): void {
  server.timeout = silentMs;
  server.prependListener('request', ({ socket }, res) => {
    res.once('prefinish', () => {
      if (socket.writableLength === 0) return;
      const timer = setTimeout(() => socket.destroy(), silentMs).unref();
      res.once('close', () => clearTimeout(timer));
    });
  });
}

/**
 * Answers a malformed HTTP request in the API's envelope, because its path is not known. Node's own answer has no
 * body.
 */
export function refuseMalformed(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const waiting = [...(unanswered.get(socket) ?? [])];
  const last = waiting.at(-1);
  if (last && waiting[0]?.req.complete) {
    // What follows a whole request must not hide its outcome. The connection ends after its response.
    last.shouldKeepAlive = false;
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

import { randomUUID } from 'node:crypto';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { REFUSALS, type Refusal } from '#server/core/outcomes.ts';
import { endAfterBody } from '#server/platform/http/end-after-body.ts';
import type { PaceLimits } from '#server/platform/pace.ts';
import { logRefusal } from '../rest/log-refusal.ts';
import { callerAddress } from '../rest/origin.ts';
import { paceConnections } from './connection-pace.ts';
import { inTurn, parseInPieces, unansweredOf } from './pipelining.ts';

/** Longer than any response is prepared, and any live update is silent. */
const SILENT_MS = 120_000;

/**
 * A server that also answers in the API's envelope what Node would answer without a body: malformed requests, those
 * without a host or with several, and those with an `Expect` that it does not know.
 */
export function createGuardedServer(
  { silentMs = SILENT_MS, pace, ...options }: ServerOptions & { silentMs?: number; pace?: PaceLimits | null },
  listener: RequestListener,
): Server {
  const server = createServer({ ...options, requireHostHeader: false }, (req, res) => {
    inTurn(res, () => {
      const hosts = req.headersDistinct.host?.length ?? 0;
      if (hosts > 1) refuse(req, res, REFUSALS.manyHosts);
      else if (req.httpVersion === '1.1' && hosts === 0) refuse(req, res, REFUSALS.noHost);
      else listener(req, res);
    });
  });
  server.on('checkExpectation', (req, res) => inTurn(res, () => refuse(req, res, REFUSALS.unknownExpect)));
  server.on('connection', parseInPieces);
  if (pace) paceConnections(server, pace);
  server.on('clientError', refuseMalformed);
  limitSilence(server, silentMs);
  return server;
}

/** Ends connections on which nothing moves for this time, or whose client takes longer to read a complete response. */
function limitSilence(server: Server, silentMs: number): void {
  server.timeout = silentMs;
  server.prependListener('request', ({ socket }, res) => {
    res.once('prefinish', () => {
      if (res.closed || socket.writableLength === 0) return;
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
  const waiting = unansweredOf(socket);
  const last = waiting.at(-1);
  if (last && waiting[0]?.req.complete) {
    // What follows a whole request must not hide its outcome. The connection ends after its response.
    last.shouldKeepAlive = false;
    return;
  }
  const answer = refusalFor(error.code);
  const { headers, body } = envelope(answer, socket);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status]}\r\n${lines.join('')}\r\n${body}`);
}

/** Closes the connection afterwards, because a client that expects something may leave its body out. */
function refuse(req: IncomingMessage, res: ServerResponse, answer: Refusal): void {
  const { headers, body } = envelope(answer, req.socket);
  res.writeHead(answer.status, headers);
  endAfterBody(req, res, body);
}

/** An answer without a known caller, and its line in the log. */
function envelope({ status, error, says }: Refusal, socket: Duplex) {
  const requestId = randomUUID();
  logRefusal({
    ...{ requestId, status, code: 'malformed', caller: null },
    address: () => callerAddress({ headers: {}, peerAddress: addressOf(socket) }, false),
  });
  const body = JSON.stringify({ success: false, error: says });
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': requestId,
    ...(error && { 'X-Error-Code': error }),
    Connection: 'close',
  };
  return { headers, body };
}

function addressOf(socket: Duplex): string | null {
  return socket instanceof Socket ? (socket.remoteAddress ?? null) : null;
}

function refusalFor(code: string | undefined): Refusal {
  if (code === 'HPE_HEADER_OVERFLOW') return REFUSALS.longHeaders;
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? REFUSALS.slow : REFUSALS.malformed;
}

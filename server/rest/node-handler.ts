import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { TLSSocket } from 'node:tls';
import { OUTCOMES } from '#server/core/outcomes.ts';
import { database } from '#server/platform/db/client.ts';
import { endAfterBody } from '#server/platform/http/end-after-body.ts';
import { log } from '#server/platform/log.ts';
import { metrics } from '#server/platform/metrics/metrics.ts';
import { settings } from '#server/settings.ts';
import { answerRest, type RestOptions } from './handle.ts';
import { restPathOf } from './path.ts';
import { readLimited } from './read-limited.ts';
import type { RestAnswer, RestRequest } from './request.ts';
import { routeLabel } from './routes.ts';

/** Whether a request target belongs to the API: everything below `/v1`, however it is spelled. */
export function isRestTarget(target: string): boolean {
  return restPathOf(target) !== null;
}

/**
 * Answers every request below `/v1`, always in the envelope. Never rejects. The server calls it before the pages'
 * handler if {@link isRestTarget} is true. `onCaller` is called once the key is found valid.
 */
export function restHandler(req: IncomingMessage, res: ServerResponse, onCaller?: () => void): Promise<void> {
  return handleWith({ trustProxy: settings.trustProxy, onCaller }, req, res);
}

/** {@link restHandler} with an explicit setting. */
export async function handleWith(
  options: Omit<RestOptions, 'database'>,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  const arrivedAtMs = performance.now();
  try {
    const path = restPathOf(req.url ?? '/') ?? '/';
    const answer = await answerRest(requestOf(req, res), path, { ...options, database: database() });
    write(req, res, answer);
    count(routeLabel(req.method ?? 'GET', path), answer.status, arrivedAtMs);
  } catch (error) {
    const requestId = randomUUID();
    log.error({ requestId, err: error }, 'request not answered');
    const body = JSON.stringify({ success: false, error: OUTCOMES.internal.says.answer });
    if (!res.headersSent)
      res.writeHead(500, { 'Content-Type': 'application/json; charset=utf-8', 'X-Request-Id': requestId });
    res.end(body);
  }
}

const observers = new Map<string, (seconds: number) => void>();

/** The counter of each route and status, looked up once. */
function count(route: string, status: number, arrivedAtMs: number): void {
  const pair = `${status} ${route}`;
  let observe = observers.get(pair);
  if (!observe) {
    const histogram = metrics().requests.labels({ route, status: String(status) });
    observe = (seconds) => histogram.observe(seconds);
    observers.set(pair, observe);
  }
  observe((performance.now() - arrivedAtMs) / 1000);
}

function requestOf(req: IncomingMessage, res: ServerResponse): RestRequest {
  return {
    method: req.method ?? 'GET',
    target: req.url ?? '/',
    headers: req.headersDistinct,
    peerAddress: req.socket.remoteAddress ?? null,
    encrypted: req.socket instanceof TLSSocket,
    read: (limits) => readLimited(req, limits),
    signal: () => hangUpSignal(res),
  };
}

/** Aborts when the connection closes before the answer is written. Made only for calls that wait. */
function hangUpSignal(res: ServerResponse): AbortSignal {
  const controller = new AbortController();
  const abort = () => {
    if (!res.writableFinished) controller.abort();
  };
  if (res.destroyed || res.closed) abort();
  else res.once('close', abort);
  return controller.signal;
}

function write(req: IncomingMessage, res: ServerResponse, answer: RestAnswer): void {
  const { written } = answer;
  if (written) {
    if (res.destroyed || res.closed) written(false);
    else res.once('close', () => written(res.writableFinished));
  }
  res.writeHead(answer.status, {
    ...answer.headers,
    'Content-Length': Buffer.byteLength(answer.body),
  });
  endAfterBody(req, res, answer.body);
}

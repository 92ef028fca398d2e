import http from 'node:http';
import type { FaultNumber } from './numbers.ts';
import type { World } from './world.ts';

export interface Answer {
  /** 0: the connection was lost. */
  status: number;
  headers: http.IncomingHttpHeaders;
  error: string | null;
  afterMs: number;
}

/** One request of a caller, tracked until its result is clear. */
export interface Posted {
  number: FaultNumber;
  /** A text that no other message has; it identifies the message at the recipient. */
  mark: string;
  /** ms since the epoch. */
  at: number;
  answer: Promise<Answer>;
  hangUp(): void;
}

export interface PostOptions {
  to?: string;
  /** Posts what an earlier request has posted. */
  again?: Posted;
  idempotencyKey?: string;
  prefer?: string;
  path?: string;
  body?: Record<string, unknown>;
  /** To another web process. */
  url?: string;
}

let marks = 0;
const RUN = Date.now().toString(36);

/** Posts a text to a new recipient and does not wait. */
export function post(world: World, number: FaultNumber, options: PostOptions = {}): Posted {
  const { again, idempotencyKey, prefer, path = '/messages/text', url = world.url } = options;
  marks += 1;
  const mark = again?.mark ?? `${RUN}-${marks}`;
  const to = options.to ?? `4917${String(10_000_000 + Number(mark.split('-')[1]))}`;
  const body = options.body ? { to, caption: mark, ...options.body } : { to, body: mark };
  const began = performance.now();
  const request = http.request(`${url}/v1${path}`, {
    method: 'POST',
    agent: false,
    headers: {
      authorization: `Bearer ${number.key}`,
      'content-type': 'application/json',
      ...(idempotencyKey ? { 'idempotency-key': idempotencyKey } : {}),
      ...(prefer ? { prefer } : {}),
    },
  });
  const answer = new Promise<Answer>((resolve) => {
    const lost = () => resolve({ status: 0, headers: {}, error: null, afterMs: performance.now() - began });
    request.once('error', lost);
    request.once('response', (response) => {
      let text = '';
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.once('error', lost);
      response.once('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          error: JSON.parse(text).error ?? null,
          afterMs: performance.now() - began,
        }),
      );
    });
  });
  request.end(JSON.stringify(body));
  return { number, mark, at: Date.now(), answer, hangUp: () => void request.destroy() };
}

/** What the caller saw: `200`, `502 unknown`, `lost`. */
export function summaryOf({ status, headers }: Answer): string {
  if (status === 0) return 'lost';
  const outcome = headers['x-send-outcome'];
  return status === 502 && outcome ? `502 ${outcome}` : String(status);
}

/**
 * An HTTP proxy that loses, delays and duplicates requests and answers. For clients in any language:
 * `node clients/testing/fault-proxy.ts --target http://127.0.0.1:3000` prints `{"url":"http://127.0.0.1:PORT"}`
 * when it listens. Options: `--rate` (share of requests with a fault, 0 to 1), `--delay-ms` (longest delay),
 * `--seed`. Its `GET /__faults` answers how often each fault happened. SIGTERM or SIGINT ends it.
 */
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';

/** What can happen to a request. In all but the first three, the server gets it. */
export const FAULTS = [
  /** The connection breaks before the request reaches the server. */
  'lose-request',
  /** The request never reaches the server, and the connection stays open. */
  'swallow-request',
  /** A gateway answers 502 itself, without having asked the server. */
  'gateway-refuses',
  /** The connection breaks after the server has answered. */
  'lose-answer',
  /** The connection breaks in the middle of the answer. */
  'cut-answer',
  /** The answer never arrives, and the connection stays open. */
  'swallow-answer',
  /** A gateway answers 504 in place of the server. */
  'gateway-times-out',
  'delay-request',
  'delay-answer',
  /** The server gets it twice at the same time, and the second answer counts. */
  'duplicate-request',
  /** The server gets it again after it has answered. */
  'late-duplicate-request',
  /** The same answer is written twice on the connection. */
  'duplicate-answer',
] as const;
export type Fault = (typeof FAULTS)[number];

export interface FaultProxyOptions {
  /** The server's origin, such as `http://127.0.0.1:3000`. */
  target: string;
  /** Share of the requests that meet a fault, 0 to 1. */
  rate?: number;
  /** The faults to draw from; all of them when left out. */
  faults?: readonly Fault[];
  delayMsMax?: number;
  /** Equal seeds draw equal faults. */
  seed?: number;
}

export interface FaultProxy {
  url: string;
  /** How often each fault happened, and `none`. */
  counts: Record<Fault | 'none', number>;
  /** The idempotency keys of requests that the server got twice. */
  duplicated: ReadonlySet<string>;
  /** Resolves when no duplicate is in progress. */
  settled(): Promise<void>;
  stop(): Promise<void>;
}

interface Answer {
  status: number;
  headers: http.IncomingHttpHeaders;
  body: Buffer;
}

/** Starts the proxy on a free port of the loopback interface. */
export async function startFaultProxy(options: FaultProxyOptions): Promise<FaultProxy> {
  const { target, rate = 0.3, faults = FAULTS, delayMsMax = 200, seed = 1 } = options;
  const random = randomOf(seed);
  const agent = new http.Agent({ keepAlive: true });
  const counts = Object.fromEntries([...FAULTS, 'none'].map((name) => [name, 0])) as FaultProxy['counts'];
  const late = new Set<Promise<unknown>>();
  const duplicated = new Set<string>();

  const draw = (): Fault | 'none' =>
    random() < rate ? (faults[Math.floor(random() * faults.length)] ?? 'none') : 'none';

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.url === '/__faults') return void response.end(JSON.stringify(counts));
    const body = await buffer(request);
    const fault = draw();
    const pauseMs = random() * delayMsMax;
    counts[fault] += 1;
    if (fault === 'swallow-request') return;
    if (fault === 'lose-request') return void response.destroy();
    if (fault === 'gateway-refuses') return gateway(response, 502);
    if (fault === 'delay-request') await delay(pauseMs);
    const forward = () => ask({ agent, target, request, body });
    if (fault.endsWith('duplicate-request')) duplicated.add(String(request.headers['idempotency-key']));
    const first = forward();
    if (fault === 'duplicate-request') late.add(forget(first, late));
    const answer = await (fault === 'duplicate-request' ? forward() : first);
    if (fault === 'late-duplicate-request') late.add(forget(delay(pauseMs).then(forward), late));
    if (fault === 'delay-answer') await delay(pauseMs);
    if (fault === 'swallow-answer') return;
    if (fault === 'lose-answer') return void response.destroy();
    if (fault === 'gateway-times-out') return gateway(response, 504);
    write(response, answer, fault);
  }

  const server = http.createServer((request, response) => {
    // The server cannot be reached, or the client has hung up.
    serve(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    counts,
    duplicated,
    async settled() {
      while (late.size > 0) await Promise.all(late);
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      agent.destroy();
    },
  };
}

/** Waits for a duplicate, whose answer nobody reads, and then removes it from `late`. */
function forget(duplicate: Promise<unknown>, late: Set<Promise<unknown>>): Promise<unknown> {
  const done: Promise<unknown> = duplicate.catch(() => null).finally(() => late.delete(done));
  return done;
}

function ask(params: {
  agent: http.Agent;
  target: string;
  request: IncomingMessage;
  body: Buffer;
}): Promise<Answer> {
  const { agent, target, request, body } = params;
  const { connection: _hop, 'transfer-encoding': _coding, expect: _expect, ...given } = request.headers;
  const headers = { ...given, host: new URL(target).host };
  return new Promise((resolve, reject) => {
    const asked = http.request(
      new URL(request.url ?? '/', target),
      { agent, method: request.method, headers },
      (response) => {
        buffer(response).then(
          (read) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: read }),
          reject,
        );
      },
    );
    asked.once('error', reject);
    asked.end(body);
  });
}

function gateway(response: ServerResponse, status: number): void {
  response.writeHead(status, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>');
}

function write(response: ServerResponse, { status, headers, body }: Answer, fault: Fault | 'none'): void {
  const { connection: _hop, 'keep-alive': _alive, 'transfer-encoding': _coding, ...kept } = headers;
  if (fault === 'duplicate-answer') {
    const lines = Object.entries({ ...kept, connection: 'close', 'content-length': body.length });
    const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
    const raw = Buffer.concat([Buffer.from(`HTTP/1.1 ${status} Answer\r\n${head}\r\n`, 'latin1'), body]);
    response.socket?.end(Buffer.concat([raw, raw]));
    return;
  }
  response.writeHead(status, { ...kept, 'content-length': body.length });
  if (fault !== 'cut-answer') return void response.end(body);
  response.write(body.subarray(0, Math.floor(body.length / 2)), () => response.destroy());
}

/** A small generator (mulberry32): numbers from 0 to 1. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      target: { type: 'string' },
      rate: { type: 'string' },
      'delay-ms': { type: 'string' },
      seed: { type: 'string' },
    },
  });
  if (!values.target) throw new Error('Give the server with --target http://127.0.0.1:3000.');
  const number = (text: string | undefined) => (text === undefined ? undefined : Number(text));
  const proxy = await startFaultProxy({
    target: values.target,
    rate: number(values.rate),
    delayMsMax: number(values['delay-ms']),
    seed: number(values.seed),
  });
  console.log(JSON.stringify({ url: proxy.url }));
  const stop = () => void proxy.stop().then(() => process.exit(0));
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, stop);
}

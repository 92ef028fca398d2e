import http from 'node:http';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { percentile } from './statistics.ts';

interface Target {
  url: string;
  /** Each connection uses its own value. */
  headers: Record<string, string> | Record<string, string>[];
  body?: string;
  status: number;
}

interface Load {
  perSecond: number;
  p50: number;
  p99: number;
}

/**
 * Keeps `connections` busy with one request each for `seconds`, over bare sockets: Node's HTTP client would be
 * the slowest part of the measurement. Throws if an answer has an unexpected status.
 */
export async function loadTest(
  target: Target & {
    connections: number;
    seconds: number;
  },
): Promise<Load> {
  const { hostname, port } = new URL(target.url);
  const requests = requestsOf(target);
  const until = performance.now() + target.seconds * 1000;
  const times: number[] = [];
  const startedAtMs = performance.now();

  const one = (request: Buffer) =>
    new Promise<void>((resolve, reject) => {
      const socket = connect({ host: hostname, port: Number(port), noDelay: true });
      let sentAtMs = 0;
      let received = Buffer.alloc(0);
      const send = () => {
        sentAtMs = performance.now();
        socket.write(request);
      };
      socket.once('connect', send);
      socket.once('error', reject);
      socket.on('data', (chunk) => {
        received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
        const end = received.indexOf('\r\n\r\n');
        if (end === -1) return;
        const head = received.toString('latin1', 0, end);
        const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
        if (received.length < end + 4 + length) return;
        if (Number(head.slice(9, 12)) !== target.status) return reject(new Error(`answered ${received}`));
        received = Buffer.alloc(0);
        const now = performance.now();
        times.push(now - sentAtMs);
        if (now < until) return send();
        socket.destroy();
        resolve();
      });
    });
  await Promise.all(
    Array.from({ length: target.connections }, (_, n) => one(requests[n % requests.length] as Buffer)),
  );
  const tookSeconds = (performance.now() - startedAtMs) / 1000;
  return loadOf(times, tookSeconds);
}

/**
 * Sends `perSecond` requests a second for `seconds`, however long the answers take. A request's time counts
 * from when it was due, so one that waits for a connection is slow and not left out.
 */
export async function steadyLoad(
  target: Target & { perSecond: number; seconds: number },
): Promise<Load & { requests: number }> {
  const agent = new http.Agent({ keepAlive: true });
  const headers = [target.headers].flat();
  const times: number[] = [];
  const ask = (n: number, dueAtMs: number) =>
    new Promise<void>((resolve, reject) => {
      const request = http.get(target.url, { agent, headers: headers[n % headers.length] }, (response) => {
        if (response.statusCode !== target.status) reject(new Error(`answered ${response.statusCode}`));
        response.resume().once('end', () => {
          times.push(performance.now() - dueAtMs);
          resolve();
        });
      });
      request.once('error', reject);
    });
  const startedAtMs = performance.now();
  await atRate(target, ask);
  const tookSeconds = (performance.now() - startedAtMs) / 1000;
  agent.destroy();
  return { requests: times.length, ...loadOf(times, tookSeconds) };
}

/**
 * Calls `ask` `perSecond` times a second for `seconds`, however long the answers take, with the time at which each
 * call was due. While `atOnce` calls are unanswered the next one waits, and is made as soon as it can be.
 */
export async function atRate(
  plan: { perSecond: number; seconds: number; atOnce?: number },
  ask: (n: number, dueAtMs: number) => Promise<void>,
): Promise<void> {
  const { perSecond, seconds, atOnce = Number.POSITIVE_INFINITY } = plan;
  const startedAtMs = performance.now();
  const pending = new Set<Promise<void>>();
  const errors: unknown[] = [];
  for (let n = 0; n < perSecond * seconds; n++) {
    const dueAtMs = startedAtMs + (n * 1000) / perSecond;
    const early = dueAtMs - performance.now();
    if (early > 0) await delay(early);
    while (pending.size >= atOnce) await Promise.race(pending);
    const asked: Promise<void> = ask(n, dueAtMs)
      .catch((error) => void errors.push(error))
      .finally(() => pending.delete(asked));
    pending.add(asked);
    if (errors.length > 0) break;
  }
  await Promise.all(pending);
  if (errors.length > 0) throw errors[0];
}

function requestsOf({ url, headers, body }: Target): Buffer[] {
  const { pathname, host } = new URL(url);
  return [headers].flat().map((own) => {
    const lines = [
      `${body === undefined ? 'GET' : 'POST'} ${pathname} HTTP/1.1`,
      `Host: ${host}`,
      ...Object.entries(own).map(([name, value]) => `${name}: ${value}`),
      ...(body === undefined ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]),
    ];
    return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body ?? ''}`);
  });
}

function loadOf(times: number[], tookSeconds: number): Load {
  const at = (share: number) => Math.round(percentile(times, share) * 100) / 100;
  return { perSecond: Math.round(times.length / tookSeconds), p50: at(0.5), p99: at(0.99) };
}

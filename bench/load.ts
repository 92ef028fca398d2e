import { connect } from 'node:net';

/**
 * Keeps `connections` busy with one request each for `seconds`, over bare sockets: an HTTP client of Node's would
 * be the slowest part of the measurement. Throws when an answer has another status than expected.
 */
export async function loadTest(target: {
  url: string;
  headers: Record<string, string>;
  body?: string;
  status: number;
  connections: number;
  seconds: number;
}): Promise<{ perSecond: number; p50: number; p99: number }> {
  const { hostname, port, pathname, host } = new URL(target.url);
  const { body } = target;
  const lines = [
    `${body === undefined ? 'GET' : 'POST'} ${pathname} HTTP/1.1`,
    `Host: ${host}`,
    ...Object.entries(target.headers).map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]),
  ];
  const request = Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body ?? ''}`);
  const until = performance.now() + target.seconds * 1000;
  const times: number[] = [];
  const startedAtMs = performance.now();

  const one = () =>
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
  await Promise.all(Array.from({ length: target.connections }, one));
  const tookSeconds = (performance.now() - startedAtMs) / 1000;
  times.sort((a, b) => a - b);
  const at = (share: number) => Math.round((times[Math.floor(times.length * share)] ?? 0) * 100) / 100;
  return { perSecond: Math.round(times.length / tookSeconds), p50: at(0.5), p99: at(0.99) };
}

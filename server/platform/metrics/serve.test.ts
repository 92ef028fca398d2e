import http from 'node:http';
import { expect, test } from 'vitest';
import { metrics } from './metrics.ts';
import { serveMetrics } from './serve.ts';

test('only the metrics are served, in Prometheus format', async () => {
  metrics().mediaFetches.inc({ result: 'ok' });
  const served = await serveMetrics({ host: '127.0.0.1', port: 0 });
  const url = `http://127.0.0.1:${served?.port}`;
  try {
    const answer = await fetch(`${url}/metrics`);
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=/);
    const text = await answer.text();
    expect(text).toContain('wirebird_media_fetches_total{result="ok"} 1');
    expect(text).toContain('nodejs_eventloop_lag_p99_seconds');
    expect((await fetch(`${url}/`)).status).toBe(404);
  } finally {
    await served?.stop();
  }
});

test("on loopback they are served only under the product's own names", async () => {
  const served = await serveMetrics({ host: '127.0.0.1', port: 0 });
  const under = (host: string) =>
    new Promise<number>((resolve, reject) => {
      http
        .get(
          { host: '127.0.0.1', port: served?.port, path: '/metrics', agent: false, headers: { host } },
          (answer) => {
            answer.resume();
            resolve(answer.statusCode ?? 0);
          },
        )
        .once('error', reject);
    });
  try {
    for (const host of [`127.0.0.1:${served?.port}`, 'localhost']) expect(await under(host), host).toBe(200);
    for (const host of ['evil.example', `evil.example:${served?.port}`])
      expect(await under(host), host).toBe(421);
  } finally {
    await served?.stop();
  }
});

test('the process runs even if the port is taken', async () => {
  const first = await serveMetrics({ host: '127.0.0.1', port: 0 });
  expect(await serveMetrics({ host: '127.0.0.1', port: first?.port ?? 0 })).toBeNull();
  await first?.stop();
});

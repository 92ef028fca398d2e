import http from 'node:http';
import { expect, test } from 'vitest';
import { metrics } from './metrics.ts';
import { serveMetrics } from './serve.ts';

test('the metrics are served in the form that Prometheus reads, and nothing else is', async () => {
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

test("on loopback they are served under the product's own names alone", async () => {
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

test('a port that is taken is no reason not to run', async () => {
  const first = await serveMetrics({ host: '127.0.0.1', port: 0 });
  expect(await serveMetrics({ host: '127.0.0.1', port: first?.port ?? 0 })).toBeNull();
  await first?.stop();
});

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { collectDefaultMetrics } from 'prom-client';
import { isLoopbackName, isOwnHost } from '#server/core/own-host.ts';
import { log } from '#server/platform/log.ts';
import { settings } from '#server/settings.ts';
import { metrics } from './metrics.ts';

/**
 * Serves `GET /metrics` on its own port and resolves to that port and a function that stops it. Null if it cannot
 * listen, which is only logged: sending does not depend on metrics.
 */
export async function serveMetrics(params: {
  host: string;
  port: number;
}): Promise<{ port: number; stop(): Promise<void> } | null> {
  const { registry } = metrics();
  // Memory, CPU, garbage collection and event loop delay, measured only if metrics are on.
  if (!registry.getSingleMetric('process_cpu_seconds_total')) collectDefaultMetrics({ register: registry });
  const server = createServer(async (req, res) => {
    if (req.url?.split('?')[0] !== '/metrics') {
      res.writeHead(404).end();
      return;
    }
    // A page in a local browser could read this under a name that resolves to this machine. From other machines,
    // Prometheus may use any name of its network.
    if (isLoopbackName(params.host) && !isOwnHost(req.headers.host, settings)) {
      res.writeHead(421).end();
      return;
    }
    try {
      const text = await registry.metrics();
      res.writeHead(200, { 'Content-Type': registry.contentType }).end(text);
    } catch (error) {
      log.warn({ err: error }, 'metrics could not be collected');
      res.writeHead(500).end();
    }
  });
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(params.port, params.host, resolve);
    });
  } catch (error) {
    log.error({ err: error, ...params }, 'metrics are not served: choose another METRICS_PORT');
    return null;
  }
  const { port } = server.address() as AddressInfo;
  log.info({ port, host: params.host }, 'metrics are served');
  return {
    port,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/**
 * The real product without browsers: its web process, worker and PostgreSQL, with connected numbers. For clients
 * in any language: `node clients/testing/product.ts --numbers 5` prints one line of JSON when it is ready:
 * `{"baseUrl":"http://…","control":"http://…","numbers":[{"numberId":"num_…","key":"wsk_test_…"}]}`.
 * Options: `--interval-ms` (between the sends of a number, default 0), `--webhook-hosts` (`host:port,…` that may
 * receive). On `control`: `GET /arrivals` lists what the recipients got, `POST /rules` adds a rule for the next
 * message of a number (`{"numberId":"num_…","stage":"wire","action":"refuse"}`, see
 * `worker/testing/network-frames.ts`), `GET /files/photo.jpg` and the other samples are files to send. SIGTERM or
 * SIGINT ends it.
 */
import fs from 'node:fs/promises';
import http from 'node:http';
import path from 'node:path';
import { json } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import type { Arrival, NetworkRule } from '#worker/testing/network-frames.ts';
import { type BenchNumber, type Browserless, startBrowserless } from '../../bench/browserless.ts';
import { freePort } from '../../e2e/stack.ts';

const SAMPLES = path.join(import.meta.dirname, '../../worker/sandbox/samples');

export interface Product {
  baseUrl: string;
  control: string;
  numbers: BenchNumber[];
  /** What the recipients got, of all numbers. */
  arrivals(): (Arrival & { numberId: string })[];
  /** A rule for the next message of a number. */
  rule(numberId: string, rule: NetworkRule): void;
  /** The address of a sample file that can be sent, such as `photo.jpg`. */
  file(name: string): string;
  stop(): Promise<void>;
}

/** Starts the product on free ports of the loopback interface. `intervalMs`: between two sends of a number. */
export async function startProduct(options: {
  numbers: number;
  intervalMs?: number;
  webhookHosts?: string;
}): Promise<Product> {
  const port = await freePort();
  const running = await startBrowserless({
    numbers: options.numbers,
    intervalMs: options.intervalMs ?? 0,
    mediaAllowHosts: `127.0.0.1:${port}`,
    ...(options.webhookHosts === undefined ? {} : { webhookAllowHosts: options.webhookHosts }),
  });
  const { numbers, network } = running;
  const control = `http://127.0.0.1:${port}`;
  const server = http.createServer((request, response) => {
    serveControl(running, request, response).catch((error: Error) => {
      response.writeHead(400).end(error.message);
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    baseUrl: running.url,
    control,
    numbers,
    arrivals: () => arrivalsOf(running),
    rule: (numberId, rule) => network.rule(numberId, rule),
    file: (name) => `${control}/files/${name}`,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await running.stop();
    },
  };
}

const arrivalsOf = ({ numbers, network }: Browserless) =>
  numbers.flatMap(({ numberId }) => network.inbox(numberId).map((arrival) => ({ ...arrival, numberId })));

async function serveControl(
  running: Browserless,
  request: http.IncomingMessage,
  response: http.ServerResponse,
): Promise<void> {
  const { method, url = '' } = request;
  // Tests make few requests, so the next one would use an idle connection that was already closed.
  response.setHeader('connection', 'close');
  if (method === 'GET' && url === '/arrivals') {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(arrivalsOf(running)));
  } else if (method === 'POST' && url === '/rules') {
    const { numberId, ...rule } = (await json(request)) as NetworkRule & { numberId: string };
    running.network.rule(numberId, rule);
    response.writeHead(204).end();
  } else if (method === 'GET' && url.startsWith('/files/')) {
    response.end(await fs.readFile(path.join(SAMPLES, path.basename(url))));
  } else response.writeHead(404).end();
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      numbers: { type: 'string', default: '1' },
      'interval-ms': { type: 'string', default: '0' },
      'webhook-hosts': { type: 'string' },
    },
  });
  const product = await startProduct({
    numbers: Number(values.numbers),
    intervalMs: Number(values['interval-ms']),
    ...(values['webhook-hosts'] === undefined ? {} : { webhookHosts: values['webhook-hosts'] }),
  });
  const { baseUrl, control, numbers } = product;
  console.log(JSON.stringify({ baseUrl, control, numbers }));
  const stop = () => void product.stop().then(() => process.exit(0));
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, stop);
}

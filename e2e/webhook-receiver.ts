import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface ReceivedWebhook {
  headers: Record<string, string>;
  body: string;
}

/** A customer's server that receives webhooks. Each test has a separate path. */
export interface WebhookReceiver {
  /** For `WEBHOOK_ALLOW_HOSTS`. */
  host: string;
  /** The requests to the path, in order. */
  received(path: string): ReceivedWebhook[];
  /** From now on the path answers this. */
  answer(path: string, status: number, body?: string): void;
  close(): Promise<void>;
}

export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const received = new Map<string, ReceivedWebhook[]>();
  const answers = new Map<string, { status: number; body: string }>();
  const server = createServer(async (request, response) => {
    const { url = '' } = request;
    const headers = request.headers as Record<string, string>;
    received.set(url, [...(received.get(url) ?? []), { headers, body: await text(request) }]);
    const { status, body } = answers.get(url) ?? { status: 200, body: 'ok' };
    response.writeHead(status).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    received: (path) => received.get(path) ?? [],
    answer: (path, status, body = '') => void answers.set(path, { status, body }),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

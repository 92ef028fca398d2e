import { request } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { selfSigned } from '#server/testing/media/certificates.ts';

/** The proxy that an operator puts in front of the product: it serves HTTPS and says so in a header. */
export async function startHttpsProxy(to: string, host: string): Promise<{ port: number; stop(): void }> {
  const server = createServer(selfSigned(host), (asked, answer) => {
    const headers = { ...asked.headers, 'x-forwarded-proto': 'https', 'x-forwarded-for': '198.51.100.7' };
    const onward = request(new URL(asked.url ?? '/', to), { method: asked.method, headers }, (reply) => {
      answer.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(answer);
    });
    onward.on('error', () => answer.destroy());
    answer.on('close', () => onward.destroy());
    asked.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

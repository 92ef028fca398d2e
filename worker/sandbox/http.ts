import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A whole request body. Rejects if it is longer than `bytesMax`. */
export async function readBody(request: IncomingMessage, bytesMax: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += (chunk as Buffer).length;
    if (bytes > bytesMax) throw new Error(`the request is longer than ${bytesMax} bytes`);
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}

export function answerJson(response: ServerResponse, status: number, value: unknown): void {
  response
    .writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' })
    .end(JSON.stringify(value));
}

/** Listens on loopback: on the wanted port if it is free, else on any. Resolves to the port. */
export async function listen(server: Server, wanted: number): Promise<number> {
  const attempt = (port: number) => once(server.listen(port, '127.0.0.1'), 'listening');
  try {
    await attempt(wanted);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    await attempt(0);
  }
  return (server.address() as AddressInfo).port;
}

export async function close(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise<void>((resolve) => server.close(() => resolve()));
}

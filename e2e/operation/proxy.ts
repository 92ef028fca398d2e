import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/**
 * What stands in front of several web processes: each request goes to the next of them, and on to another
 * when that one takes no connections. Who was being answered by one that dies is answered 502.
 */
export async function startProxy(ports: readonly number[]): Promise<{ url: string; stop(): Promise<void> }> {
  let turn = 0;
  const server = http.createServer(async (req, res) => {
    const body = await buffer(req).catch(() => null);
    if (body === null) return;
    turn += 1;
    for (let n = 0; n < ports.length; n++) {
      const port = ports[(turn + n) % ports.length] ?? 0;
      if (await passOn(port, req, body, res)) return;
    }
    res.writeHead(502).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** False when that process takes no connections, so that it cannot have heard of the request. */
function passOn(port: number, req: IncomingMessage, body: Buffer, res: ServerResponse): Promise<boolean> {
  return new Promise((resolve) => {
    const { method, url, headers } = req;
    const upstream = http.request({
      host: '127.0.0.1',
      port,
      method,
      path: url,
      agent: false,
      headers: { ...headers, connection: 'close' },
    });
    upstream.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED') return resolve(false);
      if (res.headersSent) res.destroy();
      else res.writeHead(502).end();
      resolve(true);
    });
    upstream.once('response', (answer) => {
      res.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.once('error', () => res.destroy());
      answer.pipe(res);
      resolve(true);
    });
    res.once('close', () => upstream.destroy());
    upstream.end(body);
  });
}

import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/**
 * A proxy in front of several web processes. Each request goes to the next process, or to another one if that
 * accepts no connections. If a process dies during a request, the answer is 502.
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

/** False if the process accepts no connections, so it cannot have received the request. */
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

import http from 'node:http';
import { freePort } from '../stack.ts';

export const BIG_FILE_BYTES = 12 * 1024 * 1024;

/** A file server on its own loopback port: every request gets one big file. */
export async function serveBigFile(): Promise<{ host: string; stop(): Promise<void> }> {
  const port = await freePort();
  const server = http.createServer((_, response) => response.end(Buffer.alloc(BIG_FILE_BYTES, 'wirebird')));
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    host: `127.0.0.1:${port}`,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

import http, { type ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../stack.ts';

const BIG_FILE_BYTES = 12 * 1024 * 1024;
const FILE_BYTES = 20_000;
const CUT_AFTER_BYTES = 7_000;
/** By then the fetcher has read what came before a reset. */
const READ_MS = 200;

/** How a server can announce where a file ends. */
export const FRAMINGS = ['length', 'chunks', 'close'] as const;
export type Framing = (typeof FRAMINGS)[number];

/** A customer's file server, on its own loopback port. */
export interface FileServer {
  host: string;
  big: { url: string; bytes: number };
  /** A file of 20,000 bytes. */
  url(name: string): string;
  /** The same file, but its connection is reset after 7,000 bytes. */
  cutUrl(framing: Framing): string;
  /** How often a URL was requested. */
  requests(url: string): number;
  /** A URL leads nowhere from now on. */
  remove(url: string): void;
  stop(): Promise<void>;
}

export async function serveFiles(): Promise<FileServer> {
  const port = await freePort();
  const host = `127.0.0.1:${port}`;
  const requests = new Map<string, number>();
  const removed = new Set<string>();
  const server = http.createServer((request, response) => {
    const url = `http://${host}${request.url}`;
    requests.set(url, (requests.get(url) ?? 0) + 1);
    const cut = FRAMINGS.find((framing) => request.url === `/cut-${framing}`);
    if (removed.has(url)) response.writeHead(404).end();
    else if (cut) void cutOff(response, cut);
    else if (request.url === '/big.bin') response.end(Buffer.alloc(BIG_FILE_BYTES, 'wirebird'));
    else response.end(Buffer.alloc(FILE_BYTES, request.url));
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    host,
    big: { url: `http://${host}/big.bin`, bytes: BIG_FILE_BYTES },
    url: (name) => `http://${host}/${name}`,
    cutUrl: (framing) => `http://${host}/cut-${framing}`,
    requests: (url) => requests.get(url) ?? 0,
    remove: (url) => void removed.add(url),
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function cutOff(response: ServerResponse, framing: Framing): Promise<void> {
  if (framing === 'length') response.setHeader('content-length', FILE_BYTES);
  response.useChunkedEncodingByDefault = framing === 'chunks';
  response.write(Buffer.alloc(CUT_AFTER_BYTES, 'x'));
  await delay(READ_MS);
  response.socket?.resetAndDestroy();
}

import { Readable } from 'node:stream';
import { database } from '#server/platform/db/client.ts';
import { settings } from '#server/settings.ts';
import { answerRest } from './handle.ts';
import { restPathOf } from './path.ts';
import { readLimited } from './read-limited.ts';
import type { RestRequest } from './request.ts';

/**
 * The same API through Next's own server, only for `npm run dev`: Next answers some methods and paths itself, and
 * does not name the caller's address, so every caller counts as this machine.
 */
export async function restFetchHandler(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  const answer = await answerRest(requestOf(request), restPathOf(pathname) ?? '/', {
    database: database(),
    trustProxy: settings.trustProxy,
  });
  answer.written?.(!request.signal.aborted);
  const body = request.method === 'HEAD' ? null : new Uint8Array(Buffer.from(answer.body));
  return new Response(body, { status: answer.status, headers: answer.headers });
}

function requestOf(request: Request): RestRequest {
  const headers: Record<string, string[]> = {};
  for (const [name, value] of request.headers) headers[name] = [value];
  return {
    method: request.method,
    target: request.url,
    headers,
    peerAddress: '127.0.0.1',
    encrypted: false,
    read: (limits) => readLimited(Readable.from(request.body ?? []), limits),
    signal: () => request.signal,
  };
}

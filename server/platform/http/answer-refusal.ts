import type { IncomingMessage, ServerResponse } from 'node:http';
import { endAfterBody } from './end-after-body.ts';

/** Answers a request with text or, if `body` is an object, with JSON. Reads the rest of the request's body first. */
export function answerRefusal(
  req: IncomingMessage,
  res: ServerResponse,
  { status, body, headers = {} }: { status: number; body: string | object; headers?: Record<string, string> },
): void {
  const isText = typeof body === 'string';
  const text = isText ? body : JSON.stringify(body);
  res.writeHead(status, {
    'content-type': `${isText ? 'text/plain' : 'application/json'}; charset=utf-8`,
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...headers,
  });
  endAfterBody(req, res, text);
}

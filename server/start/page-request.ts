import type { IncomingMessage, ServerResponse } from 'node:http';
import { endAfterBody } from '#server/platform/http/end-after-body.ts';
import { log } from '#server/platform/log.ts';
import { isOwnHost } from '../core/own-host.ts';
import { settings } from '../settings.ts';

/** Limits the log lines, in case another site sends its visitors here. */
const LOGGED_EVERY_MS = 60_000;

let loggedAtMs = Number.NEGATIVE_INFINITY;

/** Refuses a request under a foreign host name, or one that no page takes; false if the pages accept the request. */
export function refusePageRequest(req: IncomingMessage, res: ServerResponse): boolean {
  if (isProbe(req.url ?? '/')) return false;
  if (hostsOf(req).every((host) => isOwnHost(host, settings))) return refuseUntaken(req, res);
  if (performance.now() - loggedAtMs > LOGGED_EVERY_MS) {
    loggedAtMs = performance.now();
    log.warn(
      { host: req.headers.host },
      'refused a request for an unknown host name; to allow it, add it to ALLOWED_HOSTS',
    );
  }
  const message =
    'Wirebird does not accept requests for this host name. Open its usual address, or ask the administrator to add the name to ALLOWED_HOSTS.';
  refuse(req, res, { status: 421, message });
  return true;
}

/**
 * A page that answered it with 200 would look like a sent message to a program whose base address lacks `/v1`. Forms of the
 * pages can be sent before their scripts have loaded.
 */
function refuseUntaken(req: IncomingMessage, res: ServerResponse): boolean {
  const { method = 'GET', headers, url = '/' } = req;
  const isTaken = ['GET', 'HEAD', 'OPTIONS'].includes(method) || /^\/api(\/|$)/.test(url);
  if (isTaken || headers['sec-fetch-mode'] === 'navigate') return false;
  const message = `No page takes ${method}. The addresses of the API begin with /v1, such as /v1/messages/text.`;
  refuse(req, res, { status: 404, message });
  return true;
}

/** The hosts in the `Host` header and in an absolute target, which the pages' framework would trust. */
function hostsOf({ headers, url = '/' }: IncomingMessage): (string | undefined)[] {
  const named = /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)/i.exec(url)?.[1];
  return named === undefined ? [headers.host] : [headers.host, named];
}

/** Probes may use any host name: load balancers use a container's address, and the answers are not secret. */
export function isProbe(target: string): boolean {
  return /^\/(healthz|readyz)\/?(\?|$)/.test(target);
}

/** In the API's envelope if the caller sent JSON. */
function refuse(
  req: IncomingMessage,
  res: ServerResponse,
  { status, message }: { status: 404 | 421; message: string },
): void {
  const isJson = req.headers['content-type']?.includes('json') ?? false;
  const body = isJson ? JSON.stringify({ success: false, error: message }) : message;
  res.writeHead(status, {
    'content-type': isJson ? 'application/json; charset=utf-8' : 'text/plain; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...(isJson && status === 404 ? { 'x-error-code': 'not_found' } : {}),
  });
  endAfterBody(req, res, body);
}

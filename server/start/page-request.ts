import type { IncomingMessage, ServerResponse } from 'node:http';
import { endAfterBody } from '#server/platform/http/end-after-body.ts';
import { log } from '#server/platform/log.ts';
import { isOwnHost } from '../core/own-host.ts';
import { settings } from '../settings.ts';

/** Limits the log lines, in case another site sends its visitors here. */
const LOGGED_EVERY_MS = 60_000;

let loggedAtMs = Number.NEGATIVE_INFINITY;

/** Refuses a request under a foreign host name; false if the pages accept the request. */
export function refusePageRequest(req: IncomingMessage, res: ServerResponse): boolean {
  if (isProbe(req.url ?? '/') || hostsOf(req).every((host) => isOwnHost(host, settings))) return false;
  if (performance.now() - loggedAtMs > LOGGED_EVERY_MS) {
    loggedAtMs = performance.now();
    log.warn(
      { host: req.headers.host },
      'refused a request for an unknown host name; to allow it, add it to ALLOWED_HOSTS',
    );
  }
  const message =
    'Wirebird does not accept requests for this host name. Open its usual address, or ask the administrator to add the name to ALLOWED_HOSTS.';
  refuse(req, res, message);
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

function refuse(req: IncomingMessage, res: ServerResponse, message: string): void {
  res.writeHead(421, {
    'content-type': 'text/plain; charset=utf-8',
    'content-length': Buffer.byteLength(message),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  endAfterBody(req, res, message);
}

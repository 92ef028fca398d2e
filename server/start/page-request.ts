import type { IncomingMessage, ServerResponse } from 'node:http';
import { isOwnHost } from '../core/own-host.ts';
import { log } from '../log.ts';
import { discard } from '../rest/read-limited.ts';
import { settings } from '../settings.ts';

/** No page of ours sends more; what is announced as longer is not read. Bodies without a length are counted where they are read. */
const BODY_BYTES_MAX = 256 * 1024;
/** A site that sends its visitors here does not fill the log. */
const LOGGED_EVERY_MS = 60_000;

let loggedAtMs = Number.NEGATIVE_INFINITY;

/** Answers a request that is not for the pages as they are served here. False where it is. */
export function refusePageRequest(req: IncomingMessage, res: ServerResponse): boolean {
  if (Number(req.headers['content-length'] ?? 0) > BODY_BYTES_MAX) {
    refuse(req, res, 413, `The body is larger than ${BODY_BYTES_MAX / 1024} KiB.`);
    return true;
  }
  if (isProbe(req.url ?? '/') || hostsOf(req).every((host) => isOwnHost(host, settings))) return false;
  if (performance.now() - loggedAtMs > LOGGED_EVERY_MS) {
    loggedAtMs = performance.now();
    log.warn(
      { host: req.headers.host },
      'a request under another host name was refused: ALLOWED_HOSTS adds names',
    );
  }
  const message =
    'This product is not served under this host name. Open it under its own address, or add the name to ALLOWED_HOSTS.';
  refuse(req, res, 421, message);
  return true;
}

/** The host of the header, and of a target that names one, which the pages' framework would believe. */
function hostsOf({ headers, url = '/' }: IncomingMessage): (string | undefined)[] {
  const named = /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)/i.exec(url)?.[1];
  return named === undefined ? [headers.host] : [headers.host, named];
}

/** Load balancers ask by the address of a container; the answers are nobody's secret. */
export function isProbe(target: string): boolean {
  return /^\/(healthz|readyz)\/?(\?|$)/.test(target);
}

function refuse(req: IncomingMessage, res: ServerResponse, status: number, message: string): void {
  if (!req.complete) discard(req);
  res.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'content-length': Buffer.byteLength(message),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  res.end(message);
}

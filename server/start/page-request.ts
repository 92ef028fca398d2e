import type { IncomingMessage, ServerResponse } from 'node:http';
import { REFUSALS, type Refusal } from '#server/core/outcomes.ts';
import { answerRefusal } from '#server/platform/http/answer-refusal.ts';
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
  refuse(req, res, REFUSALS.foreignHost);
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
  refuse(req, res, REFUSALS.notTaken(method));
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
function refuse(req: IncomingMessage, res: ServerResponse, { status, error, says }: Refusal): void {
  const isJson = req.headers['content-type']?.includes('json') ?? false;
  answerRefusal(req, res, {
    status,
    body: isJson ? { success: false, error: says } : says,
    headers: isJson && error ? { 'x-error-code': error } : {},
  });
}

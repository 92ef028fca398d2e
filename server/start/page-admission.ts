import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { REFUSALS, type Refusal } from '#server/core/outcomes.ts';
import { answerIn } from '#server/platform/answer-in-turns.ts';
import { answerRefusal } from '#server/platform/http/answer-refusal.ts';
import { type BodyRefusal, takeInBody } from '#server/platform/http/take-in-body.ts';
import { untilClosed } from '#server/platform/http/until-closed.ts';
import { type PageTurn, pageTurn, runInTurn } from '#server/platform/page-turn.ts';
import { cookieName } from '../auth/cookie-name.ts';
import { callerSite } from '../rest/origin.ts';
import { settings } from '../settings.ts';
import { PageLimiter, type PageLimits, type PageRefusal, type Place } from './page-limiter.ts';
import { isProbe } from './page-request.ts';

/** A browser opens six connections, or dozens of streams over HTTP/2; offices share an address. */
export const PAGE_LIMITS: PageLimits = {
  atOnce: 6,
  atOnceBesideApi: 1,
  shareBesideApi: 0.1,
  savedMsMax: 3_000,
  perAddress: 48,
  perAccount: 96,
  perSession: 24,
  waitingMax: 1_000,
  waitMsMax: 10_000,
};
/** Probes have their own limiter: a probe that waits behind pages would make the installation look unavailable. */
const PROBE_LIMITS: PageLimits = { ...PAGE_LIMITS, atOnce: 2, shareBesideApi: 1, waitMsMax: 3_000 };
/** Our pages use shorter addresses; a longer one is refused unread. */
export const TARGET_CHARS_MAX = 8_000;

/** Delays a refusal, so that a client that repeats the request immediately does not keep the process busy. */
const REFUSED_AFTER_MS = 1_000;
const API_IN_USE_MS = 1_000;
/** Our own pages stay within these limits. */
export const BODY_BYTES_MAX = 256 * 1024;
const BODY_LIMITS = { bytesMax: BODY_BYTES_MAX, withinMs: 10_000 };

const REFUSED: Record<PageRefusal | BodyRefusal, Refusal> = {
  large: REFUSALS.large(BODY_BYTES_MAX),
  slow: REFUSALS.slow,
  address: REFUSALS.addressAtOnce,
  account: REFUSALS.accountAtOnce,
  session: REFUSALS.sessionAtOnce,
  full: REFUSALS.pagesBusy,
  late: REFUSALS.pagesBusy,
};
/** The codes by which the pages' client recognises a status. */
const CODES: Record<number, string> = { 408: 'TIMEOUT', 413: 'PAYLOAD_TOO_LARGE', 429: 'TOO_MANY_REQUESTS' };

type Handler = (req: IncomingMessage, res: ServerResponse) => Promise<void>;

/**
 * Admits page requests: a limited number at once, and only for a limited share of the time while the API is in
 * use.
 */
export class PageAdmission {
  readonly #pages: PageLimiter;
  /** Files are cheap and numerous, so they do not use the time of requests that query the database. */
  readonly #files: PageLimiter;
  readonly #probes: PageLimiter;
  #apiUsedAtMs = Number.NEGATIVE_INFINITY;

  constructor(limits = PAGE_LIMITS) {
    const isApiInUse = () => performance.now() - this.#apiUsedAtMs < API_IN_USE_MS;
    this.#pages = new PageLimiter(limits, isApiInUse);
    this.#files = new PageLimiter(limits, isApiInUse);
    this.#probes = new PageLimiter(PROBE_LIMITS, isApiInUse);
  }

  /** Notes an API request with a valid key, and its answer: a message may wait for minutes in between. */
  noteApi(res: ServerResponse): void {
    const note = () => {
      this.#apiUsedAtMs = performance.now();
    };
    note();
    void untilClosed(res).then(note);
  }

  /**
   * Calls `answer` at the request's turn, or refuses the request. Resolves when the response is over; rejects if
   * `answer` rejects.
   */
  async through(req: IncomingMessage, res: ServerResponse, answer: Handler): Promise<void> {
    const target = req.url ?? '/';
    if (target.length > TARGET_CHARS_MAX) return refuse(req, res, REFUSALS.longAddress(TARGET_CHARS_MAX));
    // After this, a body that came together with the headers is complete.
    await nextTurn();
    const turn = turnOf(req);
    const unread = await takeInBody(req, res, { ...BODY_LIMITS, address: turn.of });
    if (unread !== null) return refuse(req, res, REFUSED[unread]);
    if (res.closed) return;
    const isFile = target.startsWith('/_next/static/');
    const own = isFile ? this.#files : this.#pages;
    const limiter = isProbe(target) ? this.#probes : own;
    const place = limiter.take(turn, { counted: !isFile });
    const closed = untilClosed(res);
    try {
      const refusal = await Promise.race([place.turn, closed]);
      if (res.closed) return;
      if (refusal) return await refuse(req, res, REFUSED[refusal]);
      restWhenWritten(res, place);
      await runInTurn(turn, () => answerIn(place, () => answer(req, res)));
      await closed;
    } finally {
      place.leave();
    }
  }
}

function turnOf(req: IncomingMessage): PageTurn {
  const site = callerSite(
    { headers: req.headersDistinct, peerAddress: req.socket.remoteAddress ?? null },
    settings.trustProxy,
  );
  const name = cookieName('session', { https: settings.publicUrl.startsWith('https:') });
  const value = req.headers.cookie
    ?.split(';')
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(`${name}=`));
  const session = value === undefined ? null : createHash('sha256').update(value).digest('base64');
  return pageTurn(session, site);
}

/** Frees the place once the answer is written or is an event stream: a slow reader causes no further work. */
function restWhenWritten(res: ServerResponse, place: Place): void {
  const end = res.end.bind(res) as (...args: unknown[]) => ServerResponse;
  const writeHead = res.writeHead.bind(res) as (...args: unknown[]) => ServerResponse;
  Object.assign(res, {
    end: (...args: unknown[]) => {
      const ended = end(...args);
      place.rest();
      return ended;
    },
    writeHead: (...args: unknown[]) => {
      const written = writeHead(...args);
      // Live updates have their own limits.
      if (isEventStream(res, args.at(-1))) place.leave();
      return written;
    },
  });
}

/** Node does not keep headers that are passed to `writeHead`. */
function isEventStream(res: ServerResponse, given: unknown): boolean {
  const types = [res.getHeader('content-type'), ...Object.entries(given ?? {}).flatMap(typeIn)];
  return types.some((type) => String(type).startsWith('text/event-stream'));
}

const typeIn = ([name, value]: [string, unknown]) => (name.toLowerCase() === 'content-type' ? [value] : []);

/** Answers with a sentence: in the dashboard API's format for its requests, otherwise as text. */
async function refuse(req: IncomingMessage, res: ServerResponse, refusal: Refusal): Promise<void> {
  const { status, says, retryAfterSeconds } = refusal;
  await Promise.race([delay(REFUSED_AFTER_MS), untilClosed(res)]);
  if (res.closed) return;
  const code = CODES[status] ?? 'SERVICE_UNAVAILABLE';
  const json = { error: { message: says, code: -32_000, data: { code, httpStatus: status } } };
  answerRefusal(req, res, {
    status,
    body: req.url?.startsWith('/api/') ? json : `${says}\n`,
    headers: {
      ...(retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }),
      ...(req.complete ? {} : { connection: 'close' }),
    },
  });
}

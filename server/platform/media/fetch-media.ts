import { readFile } from 'node:fs/promises';
import { AppError } from '#server/core/errors.ts';
import { parseMediaUrl } from '#server/core/media-url.ts';
import type { MediaKind } from '#server/core/message.ts';
import { type Answer, ask, errorCode, transferFailure } from './answer.ts';
import { answerOnBeat, type Clock, realClock } from './answer-on-beat.ts';
import { connectVetted } from './connect.ts';
import { createKeyedLimiter } from './limit.ts';
import { fileTooLarge, mayPass, noRoom, unreachable, unusable } from './media-errors.ts';
import { createNetwork, type Network } from './network.ts';
import { requirePlain } from './require-plain.ts';
import { type MediaType, sniffMedia } from './sniff.ts';
import { checkMediaUrl, type MediaUrlRules, vetUrl } from './vet-url.ts';
import { type DiskBudget, writeBody } from './write-body.ts';

/** The API promises 16 MB: inclusive, of the body as received. */
export const MEDIA_BYTES_MAX = 16 * 1024 * 1024;

export interface MediaTimes {
  /** From the call to the headers of the file itself, including name look-ups, connections, TLS and redirects. */
  answerMs: number;
  /** From the call to the last byte, redirects included. */
  totalMs: number;
  /** For one address while the name has more. */
  attemptMs: number;
}

const MEDIA_TIMES: MediaTimes = { answerMs: 10_000, totalMs: 30_000, attemptMs: 2500 };

export interface MediaRequest extends MediaUrlRules {
  url: string;
  kind: MediaKind;
  /** The name under which a document is sent. */
  filename?: string | undefined;
  /** The path for the file (mode 0600), in an existing directory. An existing file is replaced. */
  spoolFile: string;
  bytesMax?: number;
  /** Ends the fetch with the signal's reason. */
  signal?: AbortSignal;
  times?: Partial<MediaTimes>;
  budget?: DiskBudget;
  network?: Network;
  clock?: Clock;
}

/** A file that was fetched, checked by its bytes and stored. */
export interface FetchedMedia extends MediaType {
  bytes: number;
  /** Of the file, lower-case hex. */
  sha256: string;
  spoolFile: string;
}

const REDIRECTS_MAX = 3;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** Statuses below 500 after which a retry can succeed. */
const PASSING = new Set([408, 425, 429]);

/** Files are checked whole and in memory, so only a few at a time. */
const judge = createKeyedLimiter(2);

const realNetwork = createNetwork();

/**
 * Fetches a file from a stranger's URL into `spoolFile`. Connects only to public addresses and to the `allowHosts`,
 * also after redirects. Leaves no file if it fails. Throws `invalid_parameters` or `media_unusable` for a URL that
 * {@link checkMediaUrl} refuses, `media_too_large` over `bytesMax`, `media_unavailable` if the server is unreachable,
 * slow, closes early or answers with a temporary status, `media_unusable` for any other answer than a complete 200 or a
 * file of another kind, `no_room` or `media_share_full` if it cannot be stored, and the signal's reason when it aborts.
 */
export async function fetchMedia(request: MediaRequest): Promise<FetchedMedia> {
  const { kind, spoolFile, bytesMax = MEDIA_BYTES_MAX, budget } = request;
  const { network = realNetwork, clock = realClock } = request;
  const times = { ...MEDIA_TIMES, ...request.times };
  const url = checkMediaUrl(request.url, request);

  const late = () => mayPass({ problem: 'late', seconds: times.totalMs / 1000 });
  const silent = () => unreachable(new Error(`no answer within ${times.answerMs} ms`));
  const written = await within(times.totalMs, late, request.signal, async (whole) => {
    const answer = await within(times.answerMs, silent, whole, (signal) =>
      followRedirects(url, { ...request, bytesMax, network, clock, times, signal }),
    );
    try {
      requireWholeFile(answer, bytesMax);
      return await writeBody(bodyOf(answer, bytesMax), spoolFile, budget);
    } finally {
      answer.close();
    }
  });

  try {
    const type = await judge(
      'all',
      async () => sniffMedia(kind, await readFile(written.partPath).catch(notReadable), request.filename),
      request.signal,
    );
    request.signal?.throwIfAborted();
    await written.keep();
    return { ...type, bytes: written.bytes, sha256: written.sha256, spoolFile };
  } catch (error) {
    await written.discard();
    throw error;
  }
}

type Hop = MediaUrlRules &
  Required<Pick<MediaRequest, 'bytesMax' | 'network' | 'clock' | 'signal'>> & {
    times: MediaTimes;
  };

/** The first answer that is not a redirect. Each hop has its own connection. */
async function followRedirects(first: URL, hop: Hop): Promise<Answer> {
  let url = first;
  for (let redirects = 0; ; redirects += 1) {
    const answer = await answerOnBeat(() => firstAnswer(url, hop), hop);
    const location = REDIRECTS.has(answer.statusCode) ? answer.header('location') : undefined;
    if (location === undefined) return answer;
    answer.close();
    if (redirects === REDIRECTS_MAX) {
      throw unusable({ problem: 'redirects', max: REDIRECTS_MAX });
    }
    url = redirectTarget(location, url, hop);
  }
}

async function firstAnswer(url: URL, { times, ...hop }: Hop): Promise<Answer> {
  const socket = await connectVetted(url, { ...hop, attemptMs: times.attemptMs });
  return ask(url, socket, hop);
}

function redirectTarget(location: string, from: URL, rules: MediaUrlRules): URL {
  try {
    const target = parseMediaUrl(location, from);
    if (from.protocol === 'https:' && target.protocol === 'http:') {
      throw unusable({ problem: 'https_left' });
    }
    vetUrl(target, rules);
    return target;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'invalid_parameters') throw error;
    throw unusable({ problem: 'redirect_refused', why: error.message });
  }
}

function requireWholeFile(answer: Answer, bytesMax: number): void {
  const status = answer.statusCode;
  if (PASSING.has(status) || status >= 500) throw mayPass({ problem: 'status', status, passes: true });
  if (status !== 200) throw unusable({ problem: 'status', status, passes: false });
  requirePlain(answer.header('content-encoding'), answer.header('transfer-encoding'));
  if (Number(answer.header('content-length') ?? 0) > bytesMax) throw fileTooLarge(bytesMax);
}

/** The body, or the error for the caller if it is incomplete. */
async function* bodyOf(answer: Answer, bytesMax: number): AsyncGenerator<Uint8Array> {
  try {
    yield* answer.body;
  } catch (error) {
    if (errorCode(error) === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') throw fileTooLarge(bytesMax);
    throw transferFailure(error) ?? mayPass({ problem: 'closed_early' }, error);
  }
}

function notReadable(error: unknown): never {
  throw noRoom(error);
}

/**
 * Runs `task` with a signal that aborts after `ms` or with `parent`. After an abort, throws its reason:
 * `lateReason` or the parent's.
 */
async function within<T>(
  ms: number,
  lateReason: () => Error,
  parent: AbortSignal | undefined,
  task: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(lateReason()), ms);
  const signal = parent ? AbortSignal.any([parent, deadline.signal]) : deadline.signal;
  try {
    return await task(signal);
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

import type { Socket } from 'node:net';
import { Client, errors } from 'undici';
import type { AppError } from '#server/core/errors.ts';
import { mayPass, unusable } from './media-errors.ts';
import { skipContinue } from './skip-continue.ts';
import { HEADER_BYTES_MAX, limitWireBytes, WireLimitError } from './wire-limit.ts';

/** Sent with every request, the only headers besides Host. Never cookies, credentials or a referrer. */
const REQUEST_HEADERS = {
  'user-agent': 'Wirebird/1.0 (media fetcher)',
  accept: '*/*',
  'accept-encoding': 'identity',
} as const;

/** The answer of a file's server, before its body is read. */
export interface Answer {
  statusCode: number;
  /** The value of a header, or `undefined`. Repeated headers are joined by commas. */
  header(name: string): string | undefined;
  /** Fails unless the file ends where the server says so: at its length, its last chunk or an orderly close. */
  body: AsyncIterable<Uint8Array>;
  /** Closes the connection at once. */
  close(): void;
}

/**
 * Requests `url` over an open connection: one GET, without redirects, decompression, proxy or reuse of the connection.
 * Throws `media_unusable` if the answer exceeds a limit or is no HTTP, `media_unavailable` if there is none, and the
 * signal's reason when it aborts before the body is read.
 *
 * @param bytesMax A longer body fails with code `UND_ERR_RES_EXCEEDED_MAX_SIZE`, and no byte beyond the limit is passed
 * on.
 */
export async function ask(
  url: URL,
  socket: Socket,
  { bytesMax, signal }: { bytesMax: number; signal: AbortSignal },
): Promise<Answer> {
  const client = new Client(url.origin, {
    // Uses the socket to the checked address, not a new one. Asynchronous, because undici loses the request if
    // `done` is called before this returns.
    connect: (_options, done) => queueMicrotask(() => done(null, socket)),
    maxHeaderSize: HEADER_BYTES_MAX,
    maxResponseSize: bytesMax,
    // The caller's signal carries the time limits.
    headersTimeout: 0,
    bodyTimeout: 0,
    pipelining: 1,
    allowH2: false,
    useMilo: false,
  });
  const close = () => {
    client.destroy().catch(() => {});
    socket.destroy();
  };
  limitWireBytes(socket, bytesMax);
  skipContinue(socket);
  let reset: Error | undefined;
  socket.on('error', (error) => {
    if (errorCode(error) === 'ECONNRESET') reset = error;
  });
  try {
    const { statusCode, headers, body } = await client.request({
      method: 'GET',
      path: url.pathname + url.search,
      headers: REQUEST_HEADERS,
      reset: true,
      signal,
    });
    // A body that is not read to its end may still fail.
    body.on('error', () => {});
    const header = (name: string) => headers[name]?.toString();
    const endsWithConnection =
      header('content-length') === undefined && header('transfer-encoding') === undefined;
    async function* whole() {
      try {
        yield* body;
      } catch (error) {
        throw isCutOff(error, header('content-length')) ? new Error('cut off', { cause: error }) : error;
      }
      // undici takes a reset for the end of such a body.
      if (endsWithConnection && reset) throw reset;
    }
    return { statusCode, header, body: whole(), close };
  } catch (error) {
    close();
    signal.throwIfAborted();
    throw transferFailure(error) ?? mayPass({ problem: 'closed_before_answer' }, error);
  }
}

/** Whether a body ended too early. undici reports it as broken HTTP if the server had said that it would close. */
function isCutOff(error: unknown, contentLength: string | undefined): boolean {
  if (error instanceof errors.HTTPParserError) return error.message.endsWith('(Invalid EOF state)');
  // With two lengths neither is known to be right.
  return errorCode(error) === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH' && !contentLength?.includes(',');
}

/** The error for the caller if a server exceeds a limit of the transfer or breaks HTTP; undefined for any other error. */
export function transferFailure(error: unknown): AppError | undefined {
  if (errorCode(error) === 'UND_ERR_HEADERS_OVERFLOW') {
    return unusable({ problem: 'long_headers' }, error);
  }
  if (error instanceof WireLimitError) {
    return unusable({ problem: 'sent_more' }, error);
  }
  const broken = brokenRule(error);
  if (broken !== undefined) return unusable({ problem: 'invalid_http', broken }, error);
}

/** What an answer does that HTTP/1.1 forbids, in a few words; undefined for other errors. */
function brokenRule(error: unknown): string | undefined {
  // The parser's own words, which quote nothing of the answer.
  if (error instanceof errors.HTTPParserError) return /\((.+)\)$/.exec(error.message)?.[1] ?? 'not readable';
  if (errorCode(error) === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH') return 'its length is given twice';
  // A switch to another protocol. undici fails on one that names none.
  if (errorCode(error) === 'ERR_ASSERTION' || (error as Error).message === 'bad upgrade')
    return 'status 101 without a request for it';
}

/** The code that Node and undici put on their errors. */
export function errorCode(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

import { errors, Pool } from 'undici';
import { AppError } from '#server/core/errors.ts';
import { answerOnBeat, realClock } from './answer-on-beat.ts';
import { connectVetted } from './connect.ts';
import { createNetwork, type Network } from './network.ts';
import { skipContinue } from './skip-continue.ts';
import { checkMediaUrl, type MediaUrlRules } from './vet-url.ts';
import { HEADER_BYTES_MAX, limitWireBytes } from './wire-limit.ts';

const ANSWER_BYTES_MAX = 64 * 1024;
const CONNECT_ATTEMPT_MS = 2500;

/** The answer of an endpoint. */
export interface PostAnswer {
  status: number;
  /** At most 64 KB of the body; the rest is not read. */
  body: string;
  /** The header `Retry-After`, if there is one. */
  retryAfter?: string;
}

/** Posts to one URL, over connections that it keeps open. */
export interface GuardedClient {
  /**
   * Throws `media_unavailable` or `media_unusable` where no permitted address could be reached. Any other error means
   * that the connection broke, or that no complete answer came in time.
   */
  post(body: string, headers: Record<string, string>): Promise<PostAnswer>;
  close(): Promise<void>;
}

export interface GuardedClientOptions extends MediaUrlRules {
  /** From the call to the end of the answer. */
  answerMs: number;
  /** How many are open at the same time. */
  connections: number;
  network?: Network;
}

/**
 * A client for a stranger's URL: each connection goes to a public address that was just checked, or to one of
 * `allowHosts`. Follows no redirects and sends no cookies. Throws {@link AppError} for a URL that is refused without
 * network access.
 */
export function openGuardedClient(urlText: string, options: GuardedClientOptions): GuardedClient {
  const { answerMs, connections, network = realNetwork, allowHosts, ports } = options;
  const url = checkMediaUrl(urlText, { allowHosts, ports });
  const pool = new Pool(url.origin, {
    connect: (_options, done) => {
      const signal = AbortSignal.timeout(answerMs);
      const connecting = () =>
        connectVetted(url, { allowHosts, ports, network, signal, attemptMs: CONNECT_ATTEMPT_MS });
      answerOnBeat(connecting, { clock: realClock, signal }).then(
        (socket) => {
          limitWireBytes(socket, ANSWER_BYTES_MAX);
          skipContinue(socket);
          done(null, socket);
        },
        (error: Error) => done(error, null),
      );
    },
    connections,
    pipelining: 1,
    allowH2: false,
    maxHeaderSize: HEADER_BYTES_MAX,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  return {
    async post(content, headers) {
      const {
        statusCode,
        headers: answered,
        body,
      } = await pool.request({
        method: 'POST',
        path: url.pathname + url.search,
        headers,
        body: content,
        signal: AbortSignal.timeout(answerMs),
      });
      const retryAfter = [answered['retry-after']].flat()[0];
      return { status: statusCode, body: await readSome(body), ...(retryAfter && { retryAfter }) };
    },
    close: () => pool.destroy(),
  };
}

const realNetwork = createNetwork();

async function readSome(body: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of body) {
    parts.push(part);
    bytes += part.length;
    if (bytes >= ANSWER_BYTES_MAX) break;
  }
  return Buffer.concat(parts).subarray(0, ANSWER_BYTES_MAX).toString('utf8');
}

/** Why a post got no complete answer. */
export type PostFailure = keyof typeof FAILURE_CODES | 'forbidden' | 'unreachable' | 'too slow' | 'broken';

/** The codes of Node.js and undici. */
const FAILURE_CODES = {
  'expired certificate': ['CERT_HAS_EXPIRED'],
  'certificate of another name': ['ERR_TLS_CERT_ALTNAME_INVALID'],
  'untrusted certificate': [
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'SELF_SIGNED_CERT_IN_CHAIN',
    'UNABLE_TO_GET_ISSUER_CERT',
    'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  ],
  'no https': ['ERR_SSL_WRONG_VERSION_NUMBER'],
  'long headers': ['UND_ERR_HEADERS_OVERFLOW'],
  'no http': ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH'],
} as const;

/**
 * What an error of {@link openGuardedClient} or {@link GuardedClient.post} means. A certificate is seen only at a permitted address, so its
 * faults may be named. All else before the connection is one `unreachable`, which reveals nothing about our network.
 */
export function postFailureOf(error: unknown): PostFailure {
  if (!(error instanceof Error)) return 'broken';
  if (error.name === 'TimeoutError') return 'too slow';
  if (error instanceof errors.HTTPParserError) return 'no http';
  // `media_unavailable` is what the network answers; the others are known from the URL alone.
  if (error instanceof AppError && error.code !== 'media_unavailable') return 'forbidden';
  const { code = '' } = (error instanceof AppError ? error.cause : error) as NodeJS.ErrnoException;
  const known = Object.entries(FAILURE_CODES) as [keyof typeof FAILURE_CODES, readonly string[]][];
  const [failure] = known.find(([, codes]) => codes.includes(code)) ?? [];
  return failure ?? (error instanceof AppError ? 'unreachable' : 'broken');
}

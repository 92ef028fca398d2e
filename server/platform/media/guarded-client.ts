import { Pool } from 'undici';
import { AppError } from '#server/core/errors.ts';
import { answerOnBeat, realClock } from './answer-on-beat.ts';
import { connectVetted } from './connect.ts';
import { createNetwork, type Network } from './network.ts';
import { checkMediaUrl, type MediaUrlRules } from './vet-url.ts';
import { HEADER_BYTES_MAX, limitWireBytes } from './wire-limit.ts';

const ANSWER_BYTES_MAX = 64 * 1024;
const CONNECT_ATTEMPT_MS = 2500;

/** The answer of an endpoint. */
export interface PostAnswer {
  status: number;
  /** At most 64 KB of the body; the rest is not read. */
  body: string;
}

/** Posts to one URL, over connections that it keeps open. */
export interface GuardedClient {
  /**
   * @throws AppError `media_unavailable` or `media_unusable` where no permitted address could be reached. Any
   * other error means that the connection broke, or that no complete answer came in time.
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
 * `allowHosts`. Follows no redirects and sends no cookies.
 *
 * @throws AppError for a URL that is refused without network access.
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
      const { statusCode, body } = await pool.request({
        method: 'POST',
        path: url.pathname + url.search,
        headers,
        body: content,
        signal: AbortSignal.timeout(answerMs),
      });
      return { status: statusCode, body: await readSome(body) };
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

/** Whether no permitted address could be reached, as opposed to an endpoint that answered badly. */
export const neverConnected = (error: unknown): boolean => error instanceof AppError;

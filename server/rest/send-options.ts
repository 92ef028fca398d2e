import type { AnswerMode } from '#server/core/answer-mode.ts';
import { AppError } from '#server/core/errors.ts';
import { ASYNC_DEADLINE_SECONDS } from '#server/core/pacing/waits.ts';
import { digest } from '#server/platform/digest.ts';
import { headerOf, type RestRequest } from './request.ts';

export interface SendOptions {
  mode: AnswerMode;
  idempotencyKey: string | null;
}

/**
 * What the headers of a send ask for. `Prefer` is a wish: what it says beyond our words is ignored, as its
 * RFC demands (7240). The other two are orders: a wrong value throws `invalid_parameters`.
 */
export function readSendOptions(request: RestRequest): SendOptions {
  return { mode: answerMode(request), idempotencyKey: idempotencyKey(request) };
}

function answerMode(request: RestRequest): AnswerMode {
  const expiresInSeconds = expiresIn(request);
  const wishes = preferences(headerOf(request, 'prefer') ?? '');
  const wait = wishes.get('wait');
  // With both, the answer is given when accepted after at most that time.
  if (wait !== undefined && /^\d{1,6}$/.test(wait) && Number(wait) > 0) {
    return { kind: 'wait', waitSeconds: Number(wait), expiresInSeconds };
  }
  if (wishes.has('respond-async') || wait === '0') return { kind: 'async', expiresInSeconds };
  return { kind: 'sync' };
}

/** Name and value of each preference; of one that is repeated, the first counts. */
function preferences(header: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const part of header.split(',')) {
    const [name = '', value = ''] = (part.split(';')[0] ?? '').split('=').map((text) => text.trim());
    if (!found.has(name.toLowerCase())) found.set(name.toLowerCase(), value.replace(/^"(.*)"$/, '$1'));
  }
  return found;
}

function expiresIn(request: RestRequest): number | null {
  const text = headerOf(request, 'x-expires-in');
  if (text === undefined) return null;
  const seconds = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (seconds >= 1 && seconds <= ASYNC_DEADLINE_SECONDS) return seconds;
  throw new AppError(
    'invalid_parameters',
    `X-Expires-In must be a whole number of seconds from 1 to ${ASYNC_DEADLINE_SECONDS}.`,
  );
}

function idempotencyKey(request: RestRequest): string | null {
  const values = request.headers['idempotency-key'];
  if (values === undefined) return null;
  const [key = ''] = values;
  // A caller may put anything into it, and nothing but its likeness is ever asked: only a hash is kept.
  if (values.length === 1 && /^[\x20-\x7e]{1,255}$/.test(key)) return digest(key);
  throw new AppError(
    'invalid_parameters',
    'Idempotency-Key must be given once and hold 1 to 255 printable ASCII characters, for example a UUID.',
  );
}

import { isUtf8 } from 'node:buffer';
import { z } from 'zod';
import type { AnswerMode } from '#server/core/answer-mode.ts';
import { AppError } from '#server/core/errors.ts';
import { ASYNC_DEADLINE_SECONDS } from '#server/core/pacing/waits.ts';
import { referenceField } from '#server/core/request-fields.ts';
import { digest } from '#server/platform/digest.ts';
import { headerOf, type RestRequest } from './request.ts';

export interface SendOptions {
  mode: AnswerMode;
  idempotencyKey: string | null;
  /** The caller's own ID for the message. */
  reference: string | null;
  /** Whether the message is only checked, and nothing is sent. */
  dryRun: boolean;
}

/**
 * What the headers of a send ask for. `Prefer` is a wish: preferences that we do not know are ignored, as RFC 7240
 * requires. The other headers are orders: a wrong value throws `invalid_parameters`. `inBody` is the body's
 * `reference`, `now` the time by the database's clock, which decides when a scheduled message leaves.
 */
export function readSendOptions(request: RestRequest, inBody: string | undefined, now: Date): SendOptions {
  return {
    mode: answerMode(request, now),
    idempotencyKey: idempotencyKey(request),
    reference: reference(request, inBody),
    dryRun: dryRun(request),
  };
}

/** A header that decides what is sent; undefined without it. Throws `invalid_parameters` if it was sent twice. */
function orderOf(request: RestRequest, name: string): string | undefined {
  const values = request.headers[name.toLowerCase()];
  if (values && values.length > 1)
    throw new AppError('invalid_parameters', `${name} was sent ${values.length} times. Send it once.`);
  return values?.[0];
}

function dryRun(request: RestRequest): boolean {
  const text = orderOf(request, 'X-Dry-Run');
  if (text === undefined || text === 'false') return false;
  if (text === 'true') return true;
  throw new AppError('invalid_parameters', 'X-Dry-Run must be true or false.');
}

const headerReference = referenceField('X-Reference');

function reference(request: RestRequest, inBody: string | undefined): string | null {
  const text = orderOf(request, 'X-Reference');
  if (text === undefined) return inBody ?? null;
  const read = headerReference.safeParse(decoded(text));
  if (!read.success)
    throw new AppError('invalid_parameters', read.error.issues[0]?.message ?? 'X-Reference is not valid.');
  const inHeader = read.data ?? null;
  if (inBody !== undefined && inHeader !== inBody)
    throw new AppError(
      'invalid_parameters',
      'X-Reference and the field "reference" differ. Send one of them, or the same text in both.',
    );
  return inHeader;
}

/** A header's bytes arrive as Latin-1. Most clients send UTF-8, and some really send Latin-1. */
export function decoded(text: string): string {
  const bytes = Buffer.from(text, 'latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : text;
}

function answerMode(request: RestRequest, now: Date): AnswerMode {
  const expiresInSeconds = expiresIn(request);
  const sendAt = readSendAt(request, now);
  // A scheduled message is always async: its caller cannot wait for it.
  if (sendAt) return { kind: 'async', expiresInSeconds, sendAt };
  const wishes = preferences(headerOf(request, 'prefer') ?? '');
  const wait = wishes.get('wait');
  // With both, the caller is answered after at most that time.
  if (wait !== undefined && /^\d{1,6}$/.test(wait) && Number(wait) > 0) {
    return { kind: 'wait', waitSeconds: Number(wait), expiresInSeconds };
  }
  if (wishes.has('respond-async') || wait === '0') return { kind: 'async', expiresInSeconds };
  return { kind: 'sync', expiresInSeconds };
}

/** Name and value of each preference; of a repeated one, the first counts. */
function preferences(header: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const part of header.split(',')) {
    const [name = '', value = ''] = (part.split(';')[0] ?? '').split('=').map((text) => text.trim());
    if (!found.has(name.toLowerCase())) found.set(name.toLowerCase(), value.replace(/^"(.*)"$/, '$1'));
  }
  return found;
}

const DAY_MS = 86_400_000;
const SCHEDULE_DAYS_MAX = 30;
const time = z.iso.datetime({ offset: true });

function readSendAt(request: RestRequest, now: Date): Date | null {
  const text = orderOf(request, 'X-Send-At');
  if (text === undefined) return null;
  if (!time.safeParse(text).success)
    throw new AppError(
      'invalid_parameters',
      'X-Send-At must be a time with a UTC offset, such as 2026-03-01T08:00:00+01:00.',
    );
  const sendAt = new Date(text);
  const inMs = sendAt.getTime() - now.getTime();
  if (inMs > SCHEDULE_DAYS_MAX * DAY_MS)
    throw new AppError(
      'invalid_parameters',
      `X-Send-At is more than ${SCHEDULE_DAYS_MAX} days ahead. Send a time in the next ${SCHEDULE_DAYS_MAX} days.`,
    );
  return sendAt;
}

function expiresIn(request: RestRequest): number | null {
  const text = orderOf(request, 'X-Expires-In');
  if (text === undefined) return null;
  const seconds = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (seconds >= 1 && seconds <= ASYNC_DEADLINE_SECONDS) return seconds;
  throw new AppError(
    'invalid_parameters',
    `X-Expires-In must be a whole number of seconds from 1 to ${ASYNC_DEADLINE_SECONDS}.`,
  );
}

/** The stored form of the Idempotency-Key; null without one. Throws `invalid_parameters`. */
export function idempotencyKey(request: RestRequest): string | null {
  const values = request.headers['idempotency-key'];
  if (values === undefined) return null;
  const [key = ''] = values;
  // Only a hash is stored: the key may contain personal data, and it is only compared.
  if (values.length === 1 && /^[\x20-\x7e]{1,255}$/.test(key)) return digest(key);
  throw new AppError(
    'invalid_parameters',
    'Idempotency-Key must be sent once and have 1 to 255 printable ASCII characters, for example a UUID.',
  );
}

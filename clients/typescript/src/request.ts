import { type ErrorCode, type ErrorDetails, errors, WirebirdError } from './errors.ts';

/** How long a call may take, and how often it is tried. */
export interface Patience {
  /** Tries of one call, the first one included. */
  maxAttempts: number;
  /** After this time without an answer a try counts as lost. The API answers within 55 s. */
  attemptTimeoutMs: number;
  /** No pause before another try leads past this time. */
  timeoutMs: number;
}

/** What the generated transport returns. */
interface Answer<Data> {
  data?: { data: Data } | undefined;
  error?: unknown;
  response?: Response | undefined;
}

export interface Call<Data> extends Patience {
  attempt: (signal: AbortSignal) => Promise<Answer<Data>>;
  /** Repeating it after a lost answer does nothing twice. */
  repeatable: boolean;
  idempotencyKey?: string;
  signal?: AbortSignal | undefined;
}

type AnyErrorClass = new (...given: ConstructorParameters<typeof WirebirdError>) => WirebirdError;

/** The first pause after a lost answer; each further one is twice as long. */
const PAUSE_MS = 500;
const PAUSE_MS_MAX = 8000;

/**
 * Makes a call, and repeats it, byte for byte, after a lost answer or as long as `Retry-After` says. It throws
 * a `WirebirdError`.
 */
export async function request<Data>(call: Call<Data>): Promise<Data> {
  const until = Date.now() + call.timeoutMs;
  let lost = false;
  for (let attempt = 1; ; attempt += 1) {
    const result = await tryOnce(call);
    if ('data' in result) return result.data;
    const { error } = result;
    const pauseMs = pauseAfter(error, attempt);
    lost ||= error.code === 'no_answer';
    const again = pauseMs !== null && (error.code !== 'no_answer' || call.repeatable);
    const tooLate = pauseMs !== null && Date.now() + pauseMs > until;
    if (!again || tooLate || attempt >= call.maxAttempts) throw afterLost(error, lost);
    await pause(pauseMs, call.signal);
  }
}

/** A refusal that names no message says nothing about an earlier try whose answer was lost. */
function afterLost(error: WirebirdError, lost: boolean): WirebirdError {
  if (!lost || error.mayBeSent || error.messageId !== null) return error;
  return Object.assign(error, { mayBeSent: true });
}

async function tryOnce<Data>(call: Call<Data>): Promise<{ data: Data } | { error: WirebirdError }> {
  const { signal, idempotencyKey = null } = call;
  const attempt = new AbortController();
  const abort = () => attempt.abort();
  const timer = setTimeout(abort, call.attemptTimeoutMs);
  signal?.addEventListener('abort', abort);
  if (signal?.aborted) abort();
  const fail = (code: ErrorCode, message: string, details: Partial<ErrorDetails> & { cause?: unknown }) => {
    // A newer server may have codes that are not known here.
    const Known = (Object.hasOwn(errors, code) ? errors[code] : WirebirdError) as AnyErrorClass;
    return { error: new Known(code, message, { idempotencyKey, ...details }) };
  };
  try {
    const { data, error, response } = await call.attempt(attempt.signal);
    if (!response) throw error;
    const { status, headers } = response;
    const details = detailsOf(response);
    if (headers.has('x-request-id')) {
      if (data?.data !== undefined) return { data: data.data };
      const refusal = error as { error?: string } | undefined;
      const code = headers.get('x-error-code') as ErrorCode | null;
      if (code) return fail(code, refusal?.error ?? code, details);
    }
    const what = `The answer ${status} does not come from Wirebird.`;
    if (status >= 500 || status === 429) return fail('no_answer', what, details);
    return fail('unexpected_answer', `${what} Check baseUrl.`, details);
  } catch (cause) {
    if (signal?.aborted) return fail('aborted', 'The call was aborted.', { cause: signal.reason });
    return fail('no_answer', 'The server did not answer, or the connection broke.', { cause });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}

function detailsOf({ status, headers }: Response): Partial<ErrorDetails> {
  const seconds = Number(headers.get('retry-after') || Number.NaN);
  return {
    status,
    messageId: headers.get('x-message-id'),
    messageStatus: headers.get('x-message-status'),
    numberStatus: headers.get('x-number-status'),
    limit: headers.get('x-limit'),
    retryAfterSeconds: Number.isFinite(seconds) ? seconds : null,
    requestId: headers.get('x-request-id'),
  };
}

/** In ms; null if another try cannot help, or must not be made. */
function pauseAfter({ code, retryAfterSeconds }: WirebirdError, attempt: number): number | null {
  if (retryAfterSeconds !== null) return retryAfterSeconds * 1000;
  if (code !== 'no_answer') return null;
  return Math.min(PAUSE_MS_MAX, PAUSE_MS * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2);
}

/** Resolves after `ms`, or as soon as the signal aborts: the next try then throws. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', end);
    if (signal?.aborted) end();
  });
}

import { type ErrorCode, type ErrorSource, errors, WirebirdError } from './errors.ts';

/** How long a call may take, and how often it is tried. */
export interface Patience {
  /** Tries of one call, the first one included. */
  maxAttempts: number;
  /** After this time without an answer a try counts as lost. The API answers within 55 s. */
  attemptTimeoutMs: number;
  /** No further try begins later than this after the start of the call. */
  timeoutMs: number;
}

/** A successful answer. */
export interface Answer<Data> {
  data: Data;
  /** It is about the message of an earlier request. */
  replayed: boolean;
}

export interface Call<Data> extends Patience {
  /** One try, by the generated transport. */
  attempt: (
    signal: AbortSignal,
  ) => Promise<{ data?: { data: Data } | undefined; error?: unknown; response?: Response | undefined }>;
  /** A repeat after a lost answer has no second effect. */
  repeatable: boolean;
  idempotencyKey?: string;
  /** The call made the key. */
  isOwnKey?: boolean;
  signal?: AbortSignal | undefined;
}

/** The first pause after a lost answer; each further one is twice as long. */
const PAUSE_MS = 500;
const PAUSE_MS_MAX = 8000;

/**
 * Makes a call. Repeats it, byte for byte, after a lost answer or after the time in `Retry-After`. Throws a
 * `WirebirdError`.
 */
export async function request<Data>(call: Call<Data>): Promise<Answer<Data>> {
  const until = Date.now() + call.timeoutMs;
  let lost = false;
  for (let attempt = 1; ; attempt += 1) {
    const result = await tryOnce(call);
    if (!(result instanceof WirebirdError)) return result;
    lost ||= result.code === 'no_answer';
    // A refusal that names no message says nothing about an earlier try whose answer was lost.
    if (lost && result.messageId === null) result.mayBeSent = true;
    const pauseMs = pauseAfter(result, attempt, call.repeatable);
    if (pauseMs === null || Date.now() + pauseMs > until || attempt >= call.maxAttempts) throw result;
    await pause(pauseMs, call.signal);
  }
}

async function tryOnce<Data>(call: Call<Data>): Promise<Answer<Data> | WirebirdError> {
  const { signal, idempotencyKey, isOwnKey } = call;
  const attempt = new AbortController();
  const stop = after(call.attemptTimeoutMs, signal, () => attempt.abort());
  const fail = (code: ErrorCode, message: string, source: ErrorSource): WirebirdError =>
    // A newer server may have codes that are not known here.
    new (Object.hasOwn(errors, code) ? errors[code] : WirebirdError)(code as never, message, {
      idempotencyKey,
      isOwnKey,
      ...source,
    });
  try {
    const { data, error, response } = await call.attempt(attempt.signal);
    if (!response) throw error;
    const { status, headers } = response;
    if (headers.has('x-request-id')) {
      if (data?.data !== undefined)
        return { data: data.data, replayed: headers.get('idempotency-replayed') === 'true' };
      const code = headers.get('x-error-code') as ErrorCode | null;
      if (code) return fail(code, (error as { error?: string } | undefined)?.error ?? code, { response });
      // Its body was lost on the way; the generated transport throws if only its end was.
      if (response.ok && headers.get('content-type')?.startsWith('application/json'))
        return fail('no_answer', 'The response of Wirebird is incomplete.', { response });
    }
    const what = `The answer ${status} does not come from Wirebird.`;
    if (status >= 500 || status === 429) return fail('no_answer', what, { response });
    return fail('unexpected_answer', `${what} Check baseUrl.`, { response });
  } catch (cause) {
    if (signal?.aborted) return fail('aborted', 'The call was aborted.', { cause: signal.reason });
    return fail('no_answer', 'The server did not answer, or the connection broke.', { cause });
  } finally {
    stop();
  }
}

/** In ms; null if another try cannot help, or must not be made. */
function pauseAfter(error: WirebirdError, attempt: number, repeatable: boolean): number | null {
  if (error.code === 'no_answer' && !repeatable) return null;
  if (error.retryAfterSeconds !== null) return error.retryAfterSeconds * 1000;
  if (error.code !== 'no_answer') return null;
  return Math.min(PAUSE_MS_MAX, PAUSE_MS * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2);
}

/** Resolves after `ms`, or as soon as the signal aborts: the next try then throws. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => after(ms, signal, resolve));
}

/** Calls back once: after `ms`, or as soon as the signal aborts. Returns a function that cancels it. */
function after(ms: number, signal: AbortSignal | undefined, callBack: () => void): () => void {
  const end = () => {
    stop();
    callBack();
  };
  const stop = () => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', end);
  };
  const timer = setTimeout(end, ms);
  signal?.addEventListener('abort', end);
  if (signal?.aborted) end();
  return stop;
}

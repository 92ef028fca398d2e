import { randomUUID } from 'node:crypto';
import { TRPCError } from '@trpc/server';
import { ZodError } from 'zod';
import type { Caller } from '#server/api-keys/caller.ts';
import { takeRead } from '#server/api-keys/rate-limit.ts';
import { AppError } from '#server/core/errors.ts';
import { MESSAGE_TYPES } from '#server/core/message.ts';
import { outcomeOf } from '#server/core/outcomes.ts';
import { storableStart } from '#server/core/storable.ts';
import { unknownName } from '#server/core/unknown-name.ts';
import { recordAnswer } from '#server/messages/send-message.ts';
import type { Database } from '#server/platform/db/client.ts';
import { errorBody, errorHeaders, problemBody, publicCodeOf } from '#server/platform/http/error-answer.ts';
import { toAppError } from '#server/platform/http/to-app-error.ts';
import { log } from '#server/platform/log.ts';
import { maskBody } from '#server/requests/mask-body.ts';
import { logRequest } from '#server/requests/request-log.ts';
import { settings } from '#server/settings.ts';
import { callProcedure } from './adapter.ts';
import type { AnswerHead } from './context.ts';
import { isSentAsJson, type JsonBody, readJsonBody } from './json-body.ts';
import { logRefusal } from './log-refusal.ts';
import { openApiJson } from './openapi.ts';
import { callerAddress, refusePlainHttp } from './origin.ts';
import { areHopeless, identify, keyInBody, keysInHeaders } from './presented-key.ts';
import { headerOf, type RestAnswer, type RestRequest } from './request.ts';
import { findRoute, isMisspeltKind, methodsOf, routeLabel } from './routes.ts';
import { decoded } from './send-options.ts';
import { sendOutcomeHeader, whileInProgress } from './send-outcome.ts';
import { setRateLimitHeaders } from './trpc.ts';

export interface RestOptions {
  database: Database;
  /** Whether a trusted proxy writes `X-Forwarded-For` and `X-Forwarded-Proto`. */
  trustProxy: boolean;
  /** Called once the request's key is found valid. */
  onCaller?: (() => void) | undefined;
}

/** A request during its checks. */
interface Exchange extends RestOptions {
  request: RestRequest;
  /** Below `/v1`. */
  path: string;
  requestId: string;
  arrivedAtMs: number;
  answer: AnswerHead;
  /** Null until its key is found valid. */
  caller: Caller | null;
  body: Record<string, unknown> | null;
}

/**
 * Answers a request whose path below `/v1` is `path`, always in the envelope. Never rejects. The checks run in
 * this order, and the first that fails decides: key, rate limit, access, number, parameters, and then those of the
 * use case.
 */
export async function answerRest(
  request: RestRequest,
  path: string,
  options: RestOptions,
): Promise<RestAnswer> {
  const exchange: Exchange = {
    ...options,
    request,
    path,
    requestId: randomUUID(),
    arrivedAtMs: performance.now(),
    answer: { headers: {}, queued: false, messageId: null, failure: null },
    caller: null,
    body: null,
  };
  try {
    refusePlainHttp(request, options.trustProxy);
    const answer = success(exchange, isOpenApi(exchange) ? openApiJson() : await callEndpoint(exchange));
    keep(exchange, answer, null);
    return answer;
  } catch (thrown) {
    const error = toAppError(thrown);
    const answer = await refusal(exchange, error);
    keep(exchange, answer, error);
    return answer;
  }
}

const ANSWER_CHARS_MAX = 2_000;
/** A valid reference has 128 characters, each of at most two units. */
const REFERENCE_UNITS_MAX = 256;

/** Notes an authenticated request for the request log. */
function keep(exchange: Exchange, answer: RestAnswer, error: AppError | null): void {
  const { caller, request, path, body } = exchange;
  if (!caller) return;
  logRequest(() => {
    const { messageId, earlier } = error?.details ?? {};
    const { headers } = exchange.answer;
    const header = headerOf(request, 'x-reference');
    // As the message would store it: a later message with it shows that the request was made up for.
    const given = header === undefined ? body?.reference : decoded(header);
    return {
      accountId: caller.accountId,
      numberId: caller.number?.id ?? null,
      keyId: caller.keyId,
      at: new Date(),
      endpoint: routeLabel(request.method, path),
      status: answer.status,
      errorCode: error && publicCodeOf(error),
      requestId: exchange.requestId,
      durationMs: Math.round(performance.now() - exchange.arrivedAtMs),
      // The header: a dry run is about the message that it would repeat.
      messageId: messageId ?? earlier?.id ?? exchange.answer.messageId ?? headers['X-Message-Id'] ?? null,
      reference: typeof given === 'string' ? storableStart(given, REFERENCE_UNITS_MAX) : null,
      body: body && maskBody(body),
      answer: error && storableStart(String(answer.body), ANSWER_CHARS_MAX),
    };
  });
}

const OPEN_API = '/openapi.json';

function isOpenApi({ path, request }: Exchange): boolean {
  return path === OPEN_API && isRead(request);
}

async function callEndpoint(exchange: Exchange): Promise<string> {
  const { request, database, path, answer } = exchange;
  const keys = keysInHeaders(request);
  const address = () => callerAddress(request, exchange.trustProxy);
  const body = await bodyOf(request, keys, address);
  exchange.body = body.object;
  const inBody = keyInBody(body.object);
  if (inBody !== null) keys.add(inBody);
  const caller = await identify(database, { keys, address });
  exchange.caller = caller;
  exchange.onCaller?.();
  const route = findRoute(request.method, path);
  if (!route) {
    await takeRead({ database }, caller, (rate) => setRateLimitHeaders(answer, rate));
    throw nothingHere(request.method, path);
  }
  const bodyProblem = body.problem ?? wrongQuery(request.target, route.query);
  const call = {
    ...route,
    path: route.path + queryOf(request.target, route.query),
    body: body.object ?? {},
    context: { ...exchange, caller, bodyProblem },
  };
  const json = await whileInProgress(request, caller, () => callProcedure(call));
  if (answer.failure !== null) throw publicFailure(answer.failure);
  return json;
}

/** The parameters in the query of a target, for an endpoint that has some. */
function queryParameters(target: string, names: readonly string[]): URLSearchParams {
  const at = target.indexOf('?');
  return new URLSearchParams(names.length === 0 || at === -1 ? '' : target.slice(at).replace(/#.*$/s, ''));
}

/** The query of a target with only the given parameters; empty without them. */
function queryOf(target: string, names: readonly string[]): string {
  const given = queryParameters(target, names);
  const known = new URLSearchParams([...given].filter(([name]) => names.includes(name)));
  return known.size === 0 ? '' : `?${known}`;
}

/** With a misspelt or repeated filter, the list would have messages that the caller takes for others. */
function wrongQuery(target: string, names: readonly string[]): AppError | null {
  const given = [...queryParameters(target, names).keys()];
  const unknown = given.find((name) => !names.includes(name));
  if (unknown !== undefined) return unknownName('filter', unknown, names);
  const repeated = given.find((name, i) => given.indexOf(name) !== i);
  return repeated === undefined ? null : new AppError('invalid_parameters', `Send ${repeated} only once.`);
}

const NO_BODY: JsonBody = { object: null, problem: null };

/** The body is read if it may contain the key or parameters, but not beside a key that is refused anyway. */
async function bodyOf(request: RestRequest, keys: Set<string>, address: () => string): Promise<JsonBody> {
  if (isRead(request) || areHopeless(keys)) return NO_BODY;
  if (keys.size === 0 && !isSentAsJson(request)) return NO_BODY;
  return readJsonBody(request, address());
}

function isRead(request: RestRequest): boolean {
  return request.method === 'GET' || request.method === 'HEAD';
}

/** trpc-openapi's error, as one that a caller may read. */
function publicFailure(failure: unknown): unknown {
  // An answer that does not match its own schema has such a cause too; the code distinguishes the two.
  if (failure instanceof TRPCError && failure.code === 'BAD_REQUEST' && failure.cause instanceof ZodError) {
    const [first] = failure.cause.issues;
    if (first) return new AppError('invalid_parameters', first.message);
  }
  return failure;
}

function nothingHere(method: string, path: string): AppError {
  const methods = path === OPEN_API ? 'GET' : methodsOf(path).join(' and ');
  if (isMisspeltKind(method, path))
    return new AppError(
      'not_found',
      `There is no such kind of message. The kinds are: ${MESSAGE_TYPES.join(', ')}.`,
    );
  return new AppError(
    'not_found',
    methods === ''
      ? 'This path does not exist. See /docs for the list of endpoints.'
      : `This path accepts only ${methods}. See /docs for the list of endpoints.`,
  );
}

function success(exchange: Exchange, body: RestAnswer['body']): RestAnswer {
  const { queued, messageId } = exchange.answer;
  const more: Record<string, string> = messageId === null ? {} : { 'X-Message-Id': messageId };
  return {
    status: queued ? 202 : 200,
    headers: headersOf(exchange, more),
    body,
    written: recorder(exchange, messageId),
  };
}

async function refusal(exchange: Exchange, error: AppError): Promise<RestAnswer> {
  const { requestId, request, path, caller } = exchange;
  const { code, details } = error;
  const { status } = outcomeOf(code);
  if (code === 'internal' || code === 'unavailable') {
    log.error({ requestId, code, err: error.cause }, 'request failed');
  } else {
    logRefusal({
      ...{ requestId, status, code, route: routeLabel(request.method, path) },
      messageId: details.messageId ?? details.earlier?.id,
      caller: caller && { ...caller, numberId: caller.number?.id ?? null },
      address: () => callerAddress(request, exchange.trustProxy),
    });
  }
  const { 'X-Send-Outcome': _, ...ofError } = errorHeaders(error);
  const headers = headersOf(exchange, { ...ofError, ...(await sendOutcomeHeader(exchange, error)) });
  return {
    status,
    ...(wantsProblem(request)
      ? {
          headers: { ...headers, 'Content-Type': PROBLEM },
          body: problemBody(error, { requestId, docsUrl: `${settings.publicUrl}/docs` }),
        }
      : { headers, body: errorBody(error) }),
    written: recorder(exchange, error.details.messageId ?? null),
  };
}

const PROBLEM = 'application/problem+json';

/** Whether `Accept` asks for errors in the form of RFC 9457. */
function wantsProblem(request: RestRequest): boolean {
  return (headerOf(request, 'accept') ?? '').split(',').some((range) => {
    const [type = '', ...params] = range.split(';').map((part) => part.trim().toLowerCase());
    return type === PROBLEM && !params.some((param) => /^q=0(\.0*)?$/.test(param));
  });
}

/** For a person who opens an address of the API in a browser: no content is executed, and HTTPS is required. */
const FOR_BROWSERS: Record<string, string> = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  ...(settings.publicUrl.startsWith('https:') ? { 'Strict-Transport-Security': 'max-age=31536000' } : {}),
};

function headersOf(exchange: Exchange, more: Record<string, string>): Record<string, string> {
  return {
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'no-store',
    ...FOR_BROWSERS,
    'X-Request-Id': exchange.requestId,
    ...exchange.answer.headers,
    ...more,
  };
}

/** Records that the answer was written, because a repeat joins only a message without a written answer. */
function recorder(exchange: Exchange, messageId: string | null): RestAnswer['written'] {
  if (messageId === null) return undefined;
  return (written) => {
    if (written) void recordAnswer(exchange, messageId);
  };
}

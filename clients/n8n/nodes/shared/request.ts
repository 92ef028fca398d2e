import {
  type IDataObject,
  type IExecuteFunctions,
  type IHookFunctions,
  type IHttpRequestMethods,
  type IHttpRequestOptions,
  type JsonObject,
  NodeApiError,
  type NodeOperationError,
  sleep,
} from 'n8n-workflow';

export const CREDENTIAL = 'wirebirdApi';

/** Wirebird answers within 55 seconds. */
const TIMEOUT_MS = 70_000;
const ATTEMPTS = 3;
const RETRY_AFTER_SECONDS_MAX = 10;

export interface WirebirdRequest {
  method: IHttpRequestMethods;
  /** Below `/v1`. */
  path: string;
  body?: IDataObject;
  qs?: IDataObject;
  headers?: IDataObject;
  /** Whether the request may be repeated after its answer was lost. */
  repeatable: boolean;
  /** Error codes that are as good as a success. */
  accept?: string[];
  itemIndex?: number;
}

export interface WirebirdAnswer {
  /** `data` of the answer. */
  data: IDataObject;
  /** In lower case. */
  headers: Record<string, string | undefined>;
}

interface FullResponse {
  statusCode: number;
  headers: Record<string, string | undefined>;
  body: unknown;
}

/**
 * Calls Wirebird's API. Repeats a request up to twice when the service restarts, limits the rate for a few
 * seconds, or cannot be reached. Throws a `NodeApiError` with the sentence, code and message ID of an error.
 */
export async function request(
  ctx: IExecuteFunctions | IHookFunctions,
  asked: WirebirdRequest,
): Promise<WirebirdAnswer> {
  const baseUrl = await baseUrlOf(ctx);
  const options: IHttpRequestOptions = {
    method: asked.method,
    url: `${baseUrl}/v1${asked.path}`,
    ...(asked.qs && { qs: asked.qs }),
    ...(asked.body && { body: asked.body }),
    headers: { Accept: 'application/json', ...asked.headers },
    json: true,
    timeout: TIMEOUT_MS,
    returnFullResponse: true,
    ignoreHttpStatusErrors: true,
    // A redirected POST would arrive as a GET.
    disableFollowRedirect: true,
  };
  for (let attempt = 1; ; attempt++) {
    const last = attempt === ATTEMPTS;
    const answer = await send(ctx, options).catch(
      (cause: unknown) =>
        new NodeApiError(ctx.getNode(), cause as JsonObject, { itemIndex: asked.itemIndex }),
    );
    if (answer instanceof NodeApiError) {
      if (!isLostConnection(answer)) throw answer;
      if (last || !asked.repeatable) throw unreachable(ctx, answer, baseUrl, asked);
      await sleep(1000);
      continue;
    }
    const { statusCode, headers, body } = answer;
    if (asked.accept?.includes(headers['x-error-code'] ?? '')) return { data: {}, headers };
    // Another server, or a proxy, may answer 200 too.
    if (statusCode < 300 && isObject(body) && body.success === true && isObject(body.data))
      return { data: body.data, headers };
    const seconds = Number(headers['retry-after'] ?? Number.NaN);
    const nothingAccepted = statusCode === 503 || headers['x-limit'] === 'rate';
    if (last || !nothingAccepted || !(seconds <= RETRY_AFTER_SECONDS_MAX)) throw refusal(ctx, answer, asked);
    await sleep(seconds * 1000);
  }
}

async function baseUrlOf(ctx: IExecuteFunctions | IHookFunctions): Promise<string> {
  const { baseUrl } = await ctx.getCredentials<{ baseUrl: string }>(CREDENTIAL);
  return baseUrl.trim().replace(/(\/v1)?\/*$/, '');
}

async function send(
  ctx: IExecuteFunctions | IHookFunctions,
  options: IHttpRequestOptions,
): Promise<FullResponse> {
  // A copy, because n8n adds the credentials to the object.
  return await ctx.helpers.httpRequestWithAuthentication.call(ctx, CREDENTIAL, { ...options });
}

/** The error for an answer that is not a success. */
function refusal(
  ctx: IExecuteFunctions | IHookFunctions,
  { statusCode, headers, body }: FullResponse,
  { itemIndex }: WirebirdRequest,
): NodeApiError {
  const sentence =
    isObject(body) && typeof body.error === 'string'
      ? body.error
      : `Wirebird could not answer: status ${statusCode}. Check the Base URL of the credential, and the proxy in front of it.`;
  const facts = {
    httpStatus: statusCode,
    errorCode: headers['x-error-code'],
    messageId: headers['x-message-id'],
    messageStatus: headers['x-message-status'],
    sendOutcome: headers['x-send-outcome'],
    retryAfterSeconds: headers['retry-after'] === undefined ? undefined : Number(headers['retry-after']),
    requestId: headers['x-request-id'],
  };
  const description = [
    facts.errorCode && `Error code: ${facts.errorCode}.`,
    facts.messageId && `Message ID: ${facts.messageId}.`,
    facts.retryAfterSeconds !== undefined && `A retry can succeed in ${facts.retryAfterSeconds} s.`,
    facts.requestId && `Request ID: ${facts.requestId}.`,
  ].filter(Boolean);
  const error = new NodeApiError(ctx.getNode(), { message: sentence } as JsonObject, {
    message: sentence,
    description: description.join(' '),
    httpCode: String(statusCode),
    itemIndex,
  });
  error.context.wirebird = Object.fromEntries(Object.entries(facts).filter(([, fact]) => fact !== undefined));
  return error;
}

/** The code, message ID and other headers of an error answer, for items that continue after the error. */
export const factsOf = ({ context }: NodeApiError | NodeOperationError) =>
  (context.wirebird ?? {}) as IDataObject;

/** The error when no answer came. */
function unreachable(
  ctx: IExecuteFunctions | IHookFunctions,
  { httpCode }: NodeApiError,
  baseUrl: string,
  { itemIndex, repeatable, method }: WirebirdRequest,
): NodeApiError {
  const sentence = `Wirebird did not answer at ${baseUrl}.`;
  const safe =
    method === 'POST' && repeatable ? ' Retrying this execution is safe: nothing is sent twice.' : '';
  return new NodeApiError(ctx.getNode(), { message: sentence } as JsonObject, {
    message: sentence,
    description: `Check that it is running, and the Base URL of the credential (${httpCode}).${safe}`,
    itemIndex,
  });
}

/** n8n puts the code of the connection's error, such as `ECONNREFUSED`, into `httpCode`. */
const isLostConnection = ({ httpCode }: NodeApiError) => /^E[A-Z_]+$/.test(httpCode ?? '');

const isObject = (value: unknown): value is IDataObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

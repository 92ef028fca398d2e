import { createOpenApiNodeHttpHandler, type OpenApiMethod } from 'trpc-openapi';
import type { RestContext } from './context.ts';
import { restRouter } from './router.ts';

/** A call of a procedure, as trpc-openapi shall see it: authorised, read and decoded already. */
export interface InnerCall {
  method: OpenApiMethod;
  /** Below `/v1`. */
  path: string;
  /** The body of a POST; empty where it could not be read, which the procedure will say. */
  body: Record<string, unknown>;
  context: RestContext;
}

const JSON_HEADERS = { get: (name: string) => (name === 'content-type' ? 'application/json' : null) };
const NO_QUERY = Object.freeze({});

/**
 * What the adapter reads of a request. It passes as a fetch `Request`, of which the adapter takes `signal`
 * and `headers` as they are; of a Node request it would build another one first. The content type is always
 * right, and there is never a query: those are judged elsewhere, in their turn.
 */
class InnerRequest {
  readonly method: string;
  readonly url: string;
  readonly body: object;
  readonly context: RestContext;
  readonly headers = JSON_HEADERS;
  readonly query = NO_QUERY;
  readonly signal = null;

  constructor({ method, path, body, context }: InnerCall) {
    this.method = method;
    this.url = path;
    this.body = body;
    this.context = context;
  }
}
Object.setPrototypeOf(InnerRequest.prototype, Request.prototype);

function contextOf(request: object): RestContext {
  if (request instanceof InnerRequest) return request.context;
  throw new Error('a request that was not made here');
}

/**
 * trpc-openapi over our router, made once: for each handler it makes, it walks the router and, outside
 * `NODE_ENV=production`, even writes the whole document (its fetch adapter does so on every request).
 */
// The adapter's types know Node's requests and responses alone; see `InnerRequest`.
const handler = createOpenApiNodeHttpHandler({
  router: restRouter,
  createContext: ({ req }) => contextOf(req),
  // Only noted: something thrown in here would end the process.
  onError: ({ error, req }) => {
    contextOf(req).answer.failure = error;
  },
} as Parameters<typeof createOpenApiNodeHttpHandler>[0]) as unknown as (
  request: object,
  response: object,
) => Promise<void>;

/**
 * Calls the procedure at a path. Resolves to the JSON of its answer; where it fails, `context.answer.failure`
 * holds why, and the JSON (trpc-openapi's own error shape, with inner details) must not be used.
 */
export async function callProcedure(call: InnerCall): Promise<string> {
  let body = '';
  await handler(new InnerRequest(call), {
    statusCode: 200,
    setHeader: () => {},
    end: (json: string) => {
      body = json;
    },
  });
  return body;
}

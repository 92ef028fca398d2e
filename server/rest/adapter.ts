import { createOpenApiNodeHttpHandler, type OpenApiMethod } from 'trpc-openapi';
import type { RestContext } from './context.ts';
import { restRouter } from './router.ts';

/** A call of a procedure: authorised, read and decoded already. */
export interface ProcedureCall {
  method: OpenApiMethod;
  /** Below `/v1`. */
  path: string;
  /** The body of a POST; empty where it could not be read, which the procedure reports. */
  body: Record<string, unknown>;
  context: RestContext;
}

/** The checks before the call judge content type and query. */
const headers = new Headers({ 'content-type': 'application/json' });

/** The request that trpc-openapi reads. */
class ProcedureRequest extends Request {
  readonly call: ProcedureCall;

  constructor(call: ProcedureCall) {
    super(`http://rest${call.path}`, { method: call.method, headers });
    this.call = call;
  }

  /** The adapter takes a parsed body as it is; a stream it would read and parse a second time. */
  override get body() {
    return this.call.body as never;
  }
}

// The adapter takes fetch requests as well, and of a response it uses two methods. Its types know Node's alone.
type Handler = (
  request: ProcedureRequest,
  response: { statusCode: number; setHeader(): void; end(json: string): void },
) => Promise<void>;

/**
 * trpc-openapi over our router, made once: each handler walks the router when it is made (its fetch adapter makes one
 * per request).
 */
const handler = createOpenApiNodeHttpHandler({
  router: restRouter,
  createContext: ({ req }: { req: ProcedureRequest }) => req.call.context,
  // Only noted: an error thrown in here would end the process.
  onError: ({ error, req }: { error: unknown; req: ProcedureRequest }) => {
    req.call.context.answer.failure = error;
  },
} as unknown as Parameters<typeof createOpenApiNodeHttpHandler>[0]) as unknown as Handler;

/**
 * Calls the procedure at a path. Resolves to the JSON of its answer. Where it fails, `context.answer.failure`
 * holds why, and the JSON (trpc-openapi's own error shape, with inner details) must not be used.
 */
export async function callProcedure(call: ProcedureCall): Promise<string> {
  let body = '';
  await handler(new ProcedureRequest(call), {
    statusCode: 200,
    setHeader: () => {},
    end: (json) => {
      body = json;
    },
  });
  return body;
}

import { createOpenApiNodeHttpHandler, type OpenApiMethod } from 'trpc-openapi';
import type { RestContext } from './context.ts';
import { restRouter } from './router.ts';

/** A call of a procedure, already authorised, read and decoded. */
export interface ProcedureCall {
  method: OpenApiMethod;
  /** Below `/v1`. */
  path: string;
  /** The body of a POST; empty if it could not be read, which the procedure reports. */
  body: Record<string, unknown>;
  context: RestContext;
}

/** Content type and query are checked before the call. */
const headers = new Headers({ 'content-type': 'application/json' });

/** The request that trpc-openapi reads. */
class ProcedureRequest extends Request {
  readonly call: ProcedureCall;

  constructor(call: ProcedureCall) {
    super(`http://rest${call.path}`, { method: call.method, headers });
    this.call = call;
  }

  /** A parsed body; the adapter would read and parse a stream again. */
  override get body() {
    return this.call.body as never;
  }
}

// The adapter also accepts fetch requests and uses two methods of a response, but its types only allow Node's.
type Handler = (
  request: ProcedureRequest,
  response: { statusCode: number; setHeader(): void; end(json: string): void },
) => Promise<void>;

/**
 * trpc-openapi over our router, made once, because each handler walks the router when it is made.
 */
const handler = createOpenApiNodeHttpHandler({
  router: restRouter,
  createContext: ({ req }: { req: ProcedureRequest }) => req.call.context,
  // Only stored: an error thrown here would end the process.
  onError: ({ error, req }: { error: unknown; req: ProcedureRequest }) => {
    req.call.context.answer.failure = error;
  },
} as unknown as Parameters<typeof createOpenApiNodeHttpHandler>[0]) as unknown as Handler;

/**
 * Calls the procedure at a path and resolves to the JSON of its answer. If it fails, `context.answer.failure` has
 * the reason, and the JSON must not be used: it is trpc-openapi's error shape with internal details.
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

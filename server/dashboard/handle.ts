import { TRPCError } from '@trpc/server';
import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import { cookies } from 'next/headers';
import { ZodObject } from 'zod';
import { clientAddress } from '#server/auth/client-address.ts';
import { deviceOf } from '#server/auth/device.ts';
import { readChoice } from '#server/auth/read-choice.ts';
import { readSessionCookie, sessionCookie, userOfCookie } from '#server/auth/session.ts';
import { REFUSALS, type Refusal } from '#server/core/outcomes.ts';
import { PasswordField } from '#server/core/sign-in-fields.ts';
import { database } from '#server/platform/db/client.ts';
import { logVisitor } from '#server/platform/line-budget.ts';
import { log } from '#server/platform/log.ts';
import { settings } from '#server/settings.ts';
import { BATCH_MAX } from './batch.ts';
import type { DashboardContext } from './context.ts';
import { endIfLeft } from './file-answer.ts';
import { SHOWN_ACCOUNT, SHOWN_USER } from './paths.ts';
import { appRouter } from './router.ts';
import { isSameOrigin } from './same-origin.ts';

const ENDPOINT = '/api/trpc';

/** The procedures that check or set a password, which takes a processor for a moment. */
const PASSWORD_PROCEDURES = new Set(
  Object.entries(appRouter._def.procedures as unknown as Record<string, { _def: { inputs: unknown[] } }>)
    .filter(([, { _def }]) => _def.inputs.some(hasPassword))
    .map(([path]) => path),
);

/** The context of the procedures, from a request; `url` if its page says in it which account and user it shows. */
export async function dashboardContext(headers: Headers, url?: string): Promise<DashboardContext> {
  const content = await readSessionCookie();
  const shown = url === undefined ? null : new URL(url).searchParams;
  return {
    database: database().forPages,
    user: content && (await userOfCookie(content)),
    accountChoice: await readChoice('account'),
    shownAccount: shown?.get(SHOWN_ACCOUNT) ?? null,
    shownUser: shown?.get(SHOWN_USER) ?? null,
    address: clientAddress(headers),
    device: deviceOf(await cookies()),
  };
}

/**
 * Refuses requests that our pages do not make: from another site, or changes without a JSON body, which forms of
 * other sites can send. Null if it is accepted.
 */
function refuseForeign(request: Request): Response | null {
  if (!isSameOrigin(request.headers, settings.publicUrl)) {
    const from = clientAddress(request.headers);
    logVisitor({ path: new URL(request.url).pathname, from }, 'a request of another site was refused');
    return refused(REFUSALS.otherSite);
  }
  const json =
    request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() === 'application/json';
  return request.method === 'POST' && !json ? refused(REFUSALS.noJsonType) : null;
}

/** Answers a download of our pages with what `answer` makes for the signed-in user and the address's query. */
export const downloadOf =
  (answer: (context: DashboardContext, query: URLSearchParams) => Promise<Response>) =>
  async (request: Request): Promise<Response> => {
    const refusal = refuseForeign(request);
    if (refusal) return refusal;
    const context = await dashboardContext(request.headers, request.url);
    return endIfLeft(await answer(context, new URL(request.url).searchParams), request.signal);
  };

function refused({ status, says }: Refusal): Response {
  return Response.json({ error: { message: says } }, { status, headers: { 'cache-control': 'no-store' } });
}

/** The request with its body read, if that is JSON; else the refusal. The admission of pages limits its length. */
async function readRequest(request: Request): Promise<Request | Response> {
  const { method, headers, signal, url } = request;
  const inputs = new URL(url).searchParams.getAll('input');
  if (!inputs.every(isJson)) return refused(REFUSALS.notJson);
  if (method === 'GET' || method === 'HEAD') return request;
  const body = await request.text();
  return isJson(body) ? new Request(url, { method, headers, signal, body }) : refused(REFUSALS.notJson);
}

/** Checked here, because the library reports invalid input as an internal error. A procedure may have no input. */
function isJson(text: string): boolean {
  try {
    return text === '' || JSON.parse(text) !== undefined;
  } catch {
    return false;
  }
}

/** Answers the dashboard's own API, for our pages only and without caching. */
export async function handleDashboardRequest(request: Request): Promise<Response> {
  const refusal = refuseForeign(request);
  if (refusal) return refusal;
  const bounded = await readRequest(request);
  if (bounded instanceof Response) return bounded;
  return fetchRequestHandler({
    endpoint: ENDPOINT,
    req: bounded,
    router: appRouter,
    maxBatchSize: BATCH_MAX,
    createContext: async ({ resHeaders, info }) => {
      refuseManyPasswords(info.calls);
      return {
        ...(await dashboardContext(request.headers, request.url)),
        renewSession: async (of) => resHeaders.append('set-cookie', await sessionCookie(of)),
      };
    },
    responseMeta: () => ({ headers: new Headers({ 'cache-control': 'no-store' }) }),
    onError: ({ error, path, ctx }) => {
      if (error.code === 'FORBIDDEN')
        logVisitor(
          { path, userId: ctx?.user?.userId, from: ctx?.address ?? null },
          'a dashboard request was forbidden',
        );
      if (error.code === 'INTERNAL_SERVER_ERROR' || error.code === 'SERVICE_UNAVAILABLE') {
        log.error({ err: error.cause ?? error, path }, 'a dashboard request failed');
      }
    },
  });
}

function hasPassword(input: unknown): boolean {
  return input instanceof ZodObject && Object.values(input.shape).includes(PasswordField);
}

/** Refuses a request that calls more than one of `PASSWORD_PROCEDURES`. */
function refuseManyPasswords(calls: readonly { path: string }[]): void {
  if (calls.filter(({ path }) => PASSWORD_PROCEDURES.has(path)).length > 1)
    throw new TRPCError({
      code: 'BAD_REQUEST',
      message: 'The request contains more than one password to check. Send them one after another.',
    });
}

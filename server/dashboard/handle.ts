import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import { cookies } from 'next/headers';
import { clientAddress } from '#server/auth/client-address.ts';
import { deviceOf } from '#server/auth/device.ts';
import { readChoice } from '#server/auth/read-choice.ts';
import { resolveSession, sessionClaim, sessionCookie } from '#server/auth/session.ts';
import { database } from '#server/db/client.ts';
import { log } from '#server/log.ts';
import { settings } from '#server/settings.ts';
import { BATCH_MAX } from './batch.ts';
import type { DashboardContext } from './context.ts';
import { appRouter } from './router.ts';
import { isSameOrigin } from './same-origin.ts';

const ENDPOINT = '/api/trpc';

/** What the dashboard's procedures know of a request. */
export async function dashboardContext(headers: Headers): Promise<DashboardContext> {
  const claim = await sessionClaim();
  return {
    database: database().forPages,
    user: claim && (await resolveSession(claim)),
    accountChoice: await readChoice('account'),
    address: clientAddress(headers),
    device: deviceOf(await cookies()),
  };
}

/**
 * The refusal of a request that a page of ours would not make: from another site, or one that changes
 * something and is not JSON, as forms of other sites can send without asking. Null for any other.
 */
export function refuseForeign(request: Request): Response | null {
  if (!isSameOrigin(request.headers, settings.publicUrl)) {
    log.info({ path: new URL(request.url).pathname }, 'a request of another site was refused');
    return refused(403, 'This request did not come from a page of this dashboard.');
  }
  const json =
    request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() === 'application/json';
  return request.method === 'POST' && !json ? refused(415, 'Send JSON.') : null;
}

function refused(status: number, message: string): Response {
  return Response.json({ error: { message } }, { status, headers: { 'cache-control': 'no-store' } });
}

/** Answers the dashboard's own API. Nothing of it may be kept by a cache, and other sites may not call it. */
export async function handleDashboardRequest(request: Request): Promise<Response> {
  const refusal = refuseForeign(request);
  if (refusal) return refusal;
  return fetchRequestHandler({
    endpoint: ENDPOINT,
    req: request,
    router: appRouter,
    maxBatchSize: BATCH_MAX,
    createContext: async ({ resHeaders }) => ({
      ...(await dashboardContext(request.headers)),
      renewSession: async (of) => resHeaders.append('set-cookie', await sessionCookie(of)),
    }),
    responseMeta: () => ({ headers: new Headers({ 'cache-control': 'no-store' }) }),
    onError: ({ error, path, ctx }) => {
      if (error.code === 'FORBIDDEN')
        log.info(
          { path, userId: ctx?.user?.userId, from: ctx?.address },
          'a dashboard request was forbidden',
        );
      if (error.code === 'INTERNAL_SERVER_ERROR' || error.code === 'SERVICE_UNAVAILABLE') {
        log.error({ err: error.cause ?? error, path }, 'a dashboard request failed');
      }
    },
  });
}

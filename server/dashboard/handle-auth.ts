import { NextRequest } from 'next/server';
import nextAuth from 'next-auth';
import { deviceCookie, deviceOf, newDevice } from '#server/auth/device.ts';
import { authOptions } from '#server/auth/options.ts';
import { REFUSALS, type Refusal } from '#server/core/outcomes.ts';
import { setNextAuthUrl, settings } from '#server/settings.ts';
import { isSameOrigin } from './same-origin.ts';

/** The library's actions that pages use. Its others are a list of providers, its own pages, and a public log. */
const ROUTES = new Set(['GET csrf', 'POST callback/credentials', 'POST signout']);
/** The longest address, password and code, and the token, encoded. */
const BODY_BYTES_MAX = 16 * 1024;

/**
 * Sign-in and sign-out. Changes must come from one of our pages and carry the library's token. The library gets
 * the path and a limited body, and no query, which could name an address to redirect to.
 */
export async function handleAuthRequest(
  request: NextRequest,
  context: { params: Promise<{ nextauth: string[] }> },
): Promise<Response> {
  const { nextauth } = await context.params;
  const { method, headers } = request;
  if (!ROUTES.has(`${method} ${nextauth.join('/')}`)) return refused(REFUSALS.noRoute);
  if (method !== 'GET' && !isSameOrigin(headers, settings.publicUrl)) return refused(REFUSALS.otherSite);
  const body = method === 'GET' ? null : await request.text();
  if (body !== null && Buffer.byteLength(body) > BODY_BYTES_MAX)
    return refused(REFUSALS.large(BODY_BYTES_MAX));
  const { origin, pathname } = new URL(request.url);
  setNextAuthUrl();
  const kept = deviceOf(request.cookies);
  const device = kept ?? newDevice();
  const read = new NextRequest(`${origin}${pathname}`, { method, headers, body });
  const answer: Response = await nextAuth(authOptions(device))(read, context);
  if (method === 'POST' && kept === null) answer.headers.append('set-cookie', deviceCookie(device));
  return answer;
}

function refused({ status, says }: Refusal): Response {
  return new Response(says, { status, headers: { 'cache-control': 'no-store' } });
}

import { NextRequest } from 'next/server';
import nextAuth from 'next-auth';
import { deviceCookie, deviceOf, newDevice } from '#server/auth/device.ts';
import { authOptions } from '#server/auth/options.ts';
import { AppError } from '#server/core/errors.ts';
import { OUTCOMES } from '#server/core/outcomes.ts';
import { readBody } from '#server/platform/http/read-body.ts';
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
  if (!ROUTES.has(`${method} ${nextauth.join('/')}`))
    return refused(404, 'There is nothing at this address.');
  if (method !== 'GET' && !isSameOrigin(headers, settings.publicUrl))
    return refused(403, OUTCOMES.forbidden.says.otherSite);
  try {
    const body = method === 'GET' ? null : await readBody(request, BODY_BYTES_MAX);
    const { origin, pathname } = new URL(request.url);
    setNextAuthUrl();
    const kept = deviceOf(request.cookies);
    const device = kept ?? newDevice();
    const read = new NextRequest(`${origin}${pathname}`, { method, headers, body });
    const answer: Response = await nextAuth(authOptions(device))(read, context);
    if (method === 'POST' && kept === null) answer.headers.append('set-cookie', deviceCookie(device));
    return answer;
  } catch (error) {
    if (error instanceof AppError && error.code === 'body_too_large') return refused(413, error.message);
    throw error;
  }
}

function refused(status: number, message: string): Response {
  return new Response(message, { status, headers: { 'cache-control': 'no-store' } });
}

import type { NextRequest } from 'next/server';
import nextAuth from 'next-auth';
import { deviceCookie, deviceOf, newDevice } from '#server/auth/device.ts';
import { authOptions } from '#server/auth/options.ts';
import { isSameOrigin } from '#server/dashboard/same-origin.ts';
import { settings } from '#server/settings.ts';

/**
 * Sign-in and sign-out. What changes something comes from a page of ours, besides the library's own token.
 * Options are read at the first request, not when the build looks at this file: secrets exist only then.
 */
const handler = async (request: NextRequest, context: { params: Promise<{ nextauth: string[] }> }) => {
  if (request.method !== 'GET' && !isSameOrigin(request.headers, settings.publicUrl))
    return new Response('This request did not come from a page of this dashboard.', { status: 403 });
  const kept = deviceOf(request.cookies);
  const device = kept ?? newDevice();
  const answer: Response = await nextAuth(authOptions(device))(request, context);
  if (request.method === 'POST' && kept === null) answer.headers.append('set-cookie', deviceCookie(device));
  return answer;
};

export { handler as GET, handler as POST };

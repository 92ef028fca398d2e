import type { NextRequest } from 'next/server';
import nextAuth from 'next-auth';
import { authOptions } from '#server/auth/options.ts';
import { isSameOrigin } from '#server/dashboard/same-origin.ts';
import { settings } from '#server/settings.ts';

/**
 * Sign-in and sign-out. What changes something comes from a page of ours, besides the library's own token.
 * Options are read at the first request, not when the build looks at this file: secrets exist only then.
 */
const handler = (request: NextRequest, context: { params: Promise<{ nextauth: string[] }> }) => {
  if (request.method !== 'GET' && !isSameOrigin(request.headers, settings.publicUrl))
    return new Response('This request did not come from a page of this dashboard.', { status: 403 });
  return nextAuth(authOptions())(request, context);
};

export { handler as GET, handler as POST };

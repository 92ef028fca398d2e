import { type NextRequest, NextResponse } from 'next/server';
import { ASKED_FOR, pathAsked } from '#app/_features/auth/asked-for.ts';
import { settings } from '#server/settings.ts';

// biome-ignore lint/style/noProcessEnv: no setting; the bundler puts the build's mode in its place
const DEVELOPMENT = process.env.NODE_ENV === 'development';

/**
 * What a page may load and who may frame it. Scripts need a nonce of the request, so every page is rendered
 * dynamically. Styles are also set from attributes, which need `unsafe-inline`.
 */
function contentPolicy(nonce: string): string {
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${DEVELOPMENT ? " 'unsafe-eval'" : ''}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' blob: data:",
    "media-src 'self' blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** 128 random bits; a UUID has fewer. */
const newNonce = () => Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString('base64url');

/** Sets the security headers of every page. The procedures check access, not this file. */
export function proxy(request: NextRequest) {
  const policy = contentPolicy(newNonce());
  const headers = new Headers(request.headers);
  // Next reads the nonce here and adds it to its own scripts.
  headers.set('content-security-policy', policy);
  // Layouts do not know the requested address; after the sign-in a visitor continues there.
  headers.set(ASKED_FOR, pathAsked(request.nextUrl));
  const response = NextResponse.next({ request: { headers } });
  response.headers.set('content-security-policy', policy);
  response.headers.set('x-content-type-options', 'nosniff');
  response.headers.set('x-frame-options', 'DENY');
  response.headers.set('referrer-policy', 'same-origin');
  response.headers.set('cross-origin-opener-policy', 'same-origin');
  response.headers.set('permissions-policy', 'camera=(), microphone=(), geolocation=(), payment=()');
  if (settings.publicUrl.startsWith('https:')) {
    response.headers.set('strict-transport-security', 'max-age=31536000');
  }
  return response;
}

export const config = { matcher: ['/((?!_next/static|v1/|v1$).*)'] };

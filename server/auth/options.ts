import type { NextAuthOptions } from 'next-auth';
import credentials from 'next-auth/providers/credentials';
import { z } from 'zod';
import { AppError } from '#server/core/errors.ts';
import { CodeField, EmailField, PasswordField, SIGN_IN_DAYS } from '#server/core/sign-in-fields.ts';
import { sessionUser } from '#server/people/session-user.ts';
import { type Browser, endSignIn, signIn } from '#server/people/sign-in.ts';
import { database } from '#server/platform/db/client.ts';
import { logVisitor } from '#server/platform/line-budget.ts';
import { log } from '#server/platform/log.ts';
import { secret } from '#server/platform/secrets.ts';
import { settings } from '#server/settings.ts';
import { clientAddress } from './client-address.ts';
import { type CookieUse, cookieName } from './cookie-name.ts';

declare module 'next-auth' {
  interface Session {
    /** The sign-in whose row names the user of this browser. */
    signInId: string;
    /** Which of the sign-in's cookies it is. */
    renewals: number;
  }
  interface User {
    signInId: string;
  }
}

declare module 'next-auth/jwt' {
  interface JWT {
    signInId?: string;
    renewals?: number;
  }
}

/** Why a sign-in was refused, as the form gets it. */
export type SignInRefusal =
  | 'CredentialsSignin'
  | 'code_needed'
  | 'code_wrong'
  | 'rate_limited'
  | 'unavailable';

const Credentials = z.object({
  email: EmailField.min(1),
  password: PasswordField.min(1),
  code: CodeField.default(''),
});

/**
 * Sign-in with email, password and, where it is on, a second factor. The session is an encrypted cookie that
 * names the row of a sign-in, which every request looks up (see `session.ts`). `device` is the browser's id.
 */
export function authOptions(device: string | null = null) {
  const secure = settings.publicUrl.startsWith('https:');
  const cookie = (use: CookieUse) => ({
    name: cookieName(use, { https: secure }),
    options: { httpOnly: true, sameSite: 'lax' as const, path: '/', secure },
  });
  return {
    secret: secret('authSecret'),
    session: { strategy: 'jwt', maxAge: SIGN_IN_DAYS * 24 * 60 * 60 },
    pages: { signIn: '/sign-in', error: '/sign-in' },
    useSecureCookies: secure,
    cookies: {
      sessionToken: cookie('session'),
      csrfToken: cookie('csrf'),
      callbackUrl: cookie('callback'),
    },
    providers: [
      credentials({
        credentials: { email: { type: 'email' }, password: { type: 'password' }, code: { type: 'text' } },
        authorize: (given, request) =>
          authorize(given, {
            address: clientAddress(request.headers),
            userAgent: request.headers?.['user-agent'] ?? null,
            device,
          }),
      }),
    ],
    callbacks: {
      // The page decides where to continue; an address given here is ignored.
      redirect: ({ baseUrl }) => baseUrl,
      jwt: ({ token, user }) => (user ? { sub: user.id, signInId: user.signInId } : token),
      session: ({ session, token }) => ({
        expires: session.expires,
        signInId: token.signInId ?? '',
        renewals: token.renewals ?? 0,
      }),
    },
    events: {
      signOut: async ({ token }) => {
        const { sub: userId, signInId, renewals = 0 } = token ?? {};
        if (!userId || !signInId) return;
        // An outdated cookie must not end the sign-in either.
        if ((await sessionUser({ database: database().forPages }, { signInId }))?.renewals !== renewals)
          return;
        const actor = { kind: 'user', userId, address: null } as const;
        // The sign-in has already ended elsewhere.
        await endSignIn({ database: database().forPages, userId, actor }, { signInId }).catch(
          (error: unknown) => {
            if (!(error instanceof AppError)) throw error;
          },
        );
      },
    },
    logger: {
      error: (code, metadata) => {
        // This happens for any cookie that we did not make.
        if (code === 'JWT_SESSION_ERROR') logVisitor({ code, from: null }, 'sign-in');
        else log.warn({ code, err: metadata }, 'sign-in');
      },
      warn: (code) => log.debug({ code }, 'sign-in'),
      debug: () => {},
    },
  } satisfies NextAuthOptions;
}

async function authorize(
  given: { email: string; password: string; code: string } | undefined,
  browser: Browser,
): Promise<{ id: string; signInId: string } | null> {
  const read = Credentials.safeParse(given);
  if (!read.success) return null;
  const { email, password, code } = read.data;
  try {
    const made = await signIn(
      { database: database().forPages, address: browser.address },
      { email, password, code, ...browser },
    );
    if (!made) logRefusal('CredentialsSignin', browser.address);
    return made && { id: made.userId, signInId: made.signInId };
  } catch (error) {
    const refusal = signInRefusal(error, code);
    logRefusal(refusal, browser.address);
    throw new Error(refusal);
  }
}

/** Logs address and reason, but not the email: a mistyped one may be a password. */
function logRefusal(refusal: SignInRefusal, address: string | null): void {
  logVisitor({ refusal, from: address }, 'a sign-in was refused');
}

/** The error for the form: its message is the code that the form gets. */
function signInRefusal(error: unknown, code: string): SignInRefusal {
  if (error instanceof AppError && error.code === 'rate_limited') return 'rate_limited';
  if (error instanceof AppError && error.code === 'second_factor')
    return code === '' ? 'code_needed' : 'code_wrong';
  log.error({ err: error }, 'a sign-in could not be checked');
  return 'unavailable';
}

import type { SignInRefusal } from '#server/auth/options.ts';
import { postToAuth } from './auth-endpoint.ts';
import { ownPath } from './own-path.ts';
import { auth } from './words.ts';

/** Why the sign-in failed. */
export interface NotSignedIn {
  sentence: string;
  /** The password is correct; this is still missing. */
  wantsCode?: 'first' | 'again';
}

/** Signs in and opens `next`. If that fails, resolves to what is missing or wrong. */
export async function signInWith(
  values: { email: string; password: string; code?: string },
  next: string | null | undefined,
): Promise<NotSignedIn | null> {
  const texts = auth.signIn;
  const answer = await postToAuth('callback/credentials', values).catch(() => undefined);
  if (answer?.ok && !answer.error) {
    window.location.assign(ownPath(next));
    // The form stays busy until the browser has left the page.
    return new Promise(() => {});
  }
  switch (answer?.error as SignInRefusal | null | undefined) {
    case 'code_needed':
      return { sentence: texts.code, wantsCode: 'first' };
    case 'code_wrong':
      return { sentence: texts.wrongCode, wantsCode: 'again' };
    case 'CredentialsSignin':
      return { sentence: texts.wrong };
    case 'rate_limited':
      return { sentence: texts.tooMany };
    default:
      return { sentence: texts.failed };
  }
}

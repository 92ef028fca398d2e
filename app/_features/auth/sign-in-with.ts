import type { SignInRefusal } from '#server/auth/options.ts';
import { postToAuth } from './auth-endpoint.ts';
import { ownPath } from './own-path.ts';
import { auth } from './words.ts';

/** Why somebody is not signed in yet. */
export interface NotSignedIn {
  sentence: string;
  /** The password is right; this is what is still missing. */
  wantsCode?: 'first' | 'again';
}

/** Signs in and goes to `next`. Resolves to what is missing or wrong when it did not work. */
export async function signInWith(
  values: { email: string; password: string; code?: string },
  next: string | null | undefined,
): Promise<NotSignedIn | null> {
  const texts = auth.signIn;
  const answer = await postToAuth('callback/credentials', values).catch(() => undefined);
  if (answer?.ok && !answer.error) {
    window.location.assign(ownPath(next));
    // The page is being left; the form stays busy until it is.
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

'use client';

import { useMutation } from '@tanstack/react-query';
import Link from '#app/_components/ui/link.tsx';
import { PresentPassword } from '#app/_features/account/password-fields.tsx';
import { useTRPC } from '#app/_trpc/client.ts';
import { AUTH_LINK, AuthForm } from './auth-form.tsx';
import { signInWith } from './sign-in-with.ts';
import { auth } from './words.ts';

const texts = auth.confirm;

/** Creates the user with the token after the `#` of the mailed link, and signs them in. */
export function ConfirmForm() {
  const trpc = useTRPC();
  const confirm = useMutation(
    trpc.account.confirmSignUp.mutationOptions({
      onSuccess: async ({ email }, { password }) => {
        // The user exists now. If the sign-in fails, the sign-in page offers to retry.
        if (await signInWith({ email, password }, '/')) window.location.assign('/sign-in?created=confirmed');
      },
    }),
  );
  return (
    <AuthForm
      {...texts}
      busy={confirm.isPending || confirm.isSuccess}
      error={confirm.error}
      onSubmit={(values) =>
        confirm.mutate({ token: window.location.hash.slice(1), password: String(values.get('password')) })
      }
      foot={
        <Link href="/sign-up" className={AUTH_LINK}>
          {texts.toSignUp}
        </Link>
      }
    >
      <PresentPassword name="password" autoFocus />
    </AuthForm>
  );
}

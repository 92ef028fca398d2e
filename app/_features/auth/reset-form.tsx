'use client';

import { useMutation } from '@tanstack/react-query';
import Link from '#app/_components/ui/link.tsx';
import { NewPassword } from '#app/_features/account/password-fields.tsx';
import { useTRPC } from '#app/_trpc/client.ts';
import { AUTH_LINK, AuthForm } from './auth-form.tsx';
import { auth } from './words.ts';

const texts = auth.reset;

/** Sets a password with the token after the `#` of the one-time link, which reaches the server only here. */
export function ResetForm() {
  const trpc = useTRPC();
  const reset = useMutation(
    trpc.user.resetPassword.mutationOptions({
      onSuccess: () => window.location.assign('/sign-in?reset=1'),
    }),
  );
  return (
    <AuthForm
      title={texts.title}
      lead={texts.lead}
      submit={texts.submit}
      busy={reset.isPending || reset.isSuccess}
      error={reset.error}
      onSubmit={(values) =>
        reset.mutate({ token: window.location.hash.slice(1), password: String(values.get('password')) })
      }
      foot={
        <Link href="/sign-in" className={AUTH_LINK}>
          {texts.toSignIn}
        </Link>
      }
    >
      <NewPassword label={texts.password} />
    </AuthForm>
  );
}

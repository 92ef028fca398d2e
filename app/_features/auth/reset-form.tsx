'use client';

import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import Link from '#app/_components/ui/link.tsx';
import { NewPassword } from '#app/_features/account/password-fields.tsx';
import { useTRPC } from '#app/_trpc/client.ts';
import { errorsAt } from '#app/_trpc/errors-at.ts';
import { sentenceOf } from '#app/_trpc/provider.tsx';
import { AUTH_LINK, AuthForm, AuthHead, UsedLink } from './auth-form.tsx';
import { auth } from './words.ts';

const texts = auth.reset;
/** The token after the `#` of the one-time link, which reaches the server only in this page's requests. */
const tokenHere = () => window.location.hash.slice(1);

/** Sets a password with a one-time link, or says at once that the link no longer works. */
export function ResetForm() {
  const trpc = useTRPC();
  const { mutate, isIdle, isPending, error } = useMutation(trpc.user.openReset.mutationOptions());
  useEffect(() => mutate({ token: tokenHere() }), [mutate]);
  if (error?.data?.appCode === 'not_found')
    return (
      <UsedLink title={auth.usedTitle} why={sentenceOf(error)} toStart={texts.toSignIn} href="/sign-in" />
    );
  if (isIdle || isPending) return <AuthHead title={texts.title} lead={texts.opening} />;
  return <NewPasswordForm />;
}

function NewPasswordForm() {
  const trpc = useTRPC();
  const reset = useMutation(
    trpc.user.resetPassword.mutationOptions({
      onSuccess: () => window.location.assign('/sign-in?reset=1'),
    }),
  );
  const { above, at } = errorsAt(reset.error, ['password']);
  return (
    <AuthForm
      {...texts}
      busy={reset.isPending || reset.isSuccess}
      error={above}
      onSubmit={(values) => reset.mutate({ token: tokenHere(), password: String(values.get('password')) })}
      foot={
        <Link href="/sign-in" className={AUTH_LINK}>
          {texts.toSignIn}
        </Link>
      }
    >
      <NewPassword label={texts.password} error={at.password} />
    </AuthForm>
  );
}

'use client';

import { useMutation } from '@tanstack/react-query';
import { Field, Input } from '#app/_components/ui/field.tsx';
import Link from '#app/_components/ui/link.tsx';
import { useTRPC } from '#app/_trpc/client.ts';
import { sentenceOf } from '#app/_trpc/provider.tsx';
import { AUTH_LINK, AuthForm } from './auth-form.tsx';
import { signInWith } from './sign-in-with.ts';
import { auth } from './words.ts';

const texts = auth.confirm;

/** Makes the user by the link in their mail, whose token stands after the `#`, and signs them in. */
export function ConfirmForm() {
  const trpc = useTRPC();
  const confirm = useMutation(
    trpc.account.confirmSignUp.mutationOptions({
      onSuccess: async ({ email }, { password }) => {
        // The user is there: a sign-in that does not go through now is tried again on its own page.
        if (await signInWith({ email, password }, '/')) window.location.assign('/sign-in?created=confirmed');
      },
    }),
  );
  return (
    <AuthForm
      title={texts.title}
      lead={texts.lead}
      submit={texts.submit}
      busy={confirm.isPending || confirm.isSuccess}
      error={confirm.error ? sentenceOf(confirm.error) : undefined}
      onSubmit={(values) =>
        confirm.mutate({ token: window.location.hash.slice(1), password: String(values.get('password')) })
      }
      foot={
        <Link href="/sign-up" className={AUTH_LINK}>
          {texts.toSignUp}
        </Link>
      }
    >
      <Field label={auth.password}>
        {(tie) => (
          <Input
            {...tie}
            name="password"
            type="password"
            autoComplete="current-password"
            required
            autoFocus
          />
        )}
      </Field>
    </AuthForm>
  );
}

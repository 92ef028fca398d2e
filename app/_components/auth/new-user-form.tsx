'use client';

import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Field, Input } from '#app/_components/ui/field.tsx';
import { auth } from '#app/_texts/auth.ts';
import { useTRPC } from '#app/_trpc/client.ts';
import { sentenceOf } from '#app/_trpc/provider.tsx';
import { AuthForm } from './auth-form.tsx';
import { signInWith } from './sign-in-with.ts';

/**
 * Makes a user with their account, then signs them in. With the `token` of the one-time link they become the
 * administrator.
 */
export function NewUserForm({
  title,
  lead,
  submit,
  token,
  foot,
}: {
  title: string;
  lead: ReactNode;
  submit: string;
  token?: string;
  foot?: ReactNode;
}) {
  const trpc = useTRPC();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const signUp = useMutation(trpc.account.signUp.mutationOptions());
  const setUp = useMutation(trpc.account.setUp.mutationOptions());
  const create = async (form: FormData) => {
    const text = (name: string) => String(form.get(name) ?? '');
    const user = { email: text('email'), password: text('password'), accountName: text('accountName') };
    setBusy(true);
    setError(undefined);
    try {
      await (token === undefined ? signUp.mutateAsync(user) : setUp.mutateAsync({ ...user, token }));
    } catch (failure) {
      setError(sentenceOf(failure));
      setBusy(false);
      return;
    }
    // The account is there: a sign-in that does not go through now is tried again on its own page.
    if (await signInWith(user, '/')) window.location.assign('/sign-in?created=1');
  };
  return (
    <AuthForm
      title={title}
      lead={lead}
      submit={submit}
      busy={busy}
      error={error}
      onSubmit={create}
      foot={foot}
    >
      <Field label={auth.signUp.account} help={auth.signUp.accountHelp}>
        {(tie) => (
          <Input {...tie} name="accountName" autoComplete="organization" required maxLength={100} autoFocus />
        )}
      </Field>
      <Field label={auth.email}>
        {(tie) => (
          <Input {...tie} name="email" type="email" autoComplete="username" required maxLength={254} />
        )}
      </Field>
      <Field label={auth.password} help={auth.passwordHelp}>
        {(tie) => (
          <Input
            {...tie}
            name="password"
            type="password"
            autoComplete="new-password"
            required
            minLength={12}
          />
        )}
      </Field>
    </AuthForm>
  );
}

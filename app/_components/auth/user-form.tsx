'use client';

import { type ReactNode, useState } from 'react';
import { NewPassword } from '#app/_components/account/password-fields.tsx';
import { Field, Input } from '#app/_components/ui/field.tsx';
import { auth } from '#app/_texts/auth.ts';
import { sentenceOf } from '#app/_trpc/provider.tsx';
import { AuthForm } from './auth-form.tsx';
import { signInWith } from './sign-in-with.ts';

/** What somebody typed who is to become a user. */
export interface NewUser {
  email: string;
  password: string;
  /** Empty where the form does not ask for one. */
  accountName: string;
}

/** Asks for a new user, has them made by `create`, and signs them in. */
export function UserForm({
  title,
  lead,
  submit,
  foot,
  asksName,
  create,
  next = () => '/',
  notSignedIn = '/sign-in?created=1',
}: {
  title: string;
  lead: ReactNode;
  submit: string;
  foot?: ReactNode;
  /** They get an account of their own, which needs a name. */
  asksName: boolean;
  create: (user: NewUser) => Promise<unknown>;
  /** Where they go once they are signed in. */
  next?: () => string;
  /** Where they go when they could not be. */
  notSignedIn?: string;
}) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const send = async (form: FormData) => {
    const text = (name: string) => String(form.get(name) ?? '');
    const user = { email: text('email'), password: text('password'), accountName: text('accountName') };
    setBusy(true);
    setError(undefined);
    try {
      await create(user);
    } catch (failure) {
      setError(sentenceOf(failure));
      setBusy(false);
      return;
    }
    // The user is there: a sign-in that does not go through now is tried again on its own page.
    if (await signInWith(user, next())) window.location.assign(notSignedIn);
  };
  return (
    <AuthForm title={title} lead={lead} submit={submit} busy={busy} error={error} onSubmit={send} foot={foot}>
      {asksName && (
        <Field label={auth.signUp.account} help={auth.signUp.accountHelp}>
          {(tie) => (
            <Input
              {...tie}
              name="accountName"
              autoComplete="organization"
              required
              maxLength={100}
              autoFocus
            />
          )}
        </Field>
      )}
      <Field label={auth.email}>
        {(tie) => (
          <Input
            {...tie}
            name="email"
            type="email"
            autoComplete="username"
            required
            maxLength={254}
            autoFocus={!asksName}
          />
        )}
      </Field>
      <NewPassword />
    </AuthForm>
  );
}

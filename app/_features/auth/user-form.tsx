'use client';

import { type ReactNode, useState } from 'react';
import { Field, Input } from '#app/_components/ui/field.tsx';
import { NewPassword } from '#app/_features/account/password-fields.tsx';
import { sentenceOf } from '#app/_trpc/provider.tsx';
import { AuthForm } from './auth-form.tsx';
import { CheckMail } from './check-mail.tsx';
import { signInWith } from './sign-in-with.ts';
import { auth } from './words.ts';

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
  notSignedIn = '/sign-in?created=account',
}: {
  title: string;
  lead: ReactNode;
  submit: string;
  foot?: ReactNode;
  /** They get an account of their own, which needs a name. */
  asksName: boolean;
  /** `mailed`: they are made once they open the link in their mail. */
  create: (user: NewUser) => Promise<{ mailed: boolean } | undefined>;
  /** Where they go once they are signed in. */
  next?: () => string;
  /** Where they go when they could not be. */
  notSignedIn?: string;
}) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  /** Whom the link was mailed to. */
  const [asked, setAsked] = useState<NewUser>();
  const [corrects, setCorrects] = useState<NewUser>();
  const send = async (form: FormData) => {
    const text = (name: string) => String(form.get(name) ?? '');
    const user = { email: text('email'), password: text('password'), accountName: text('accountName') };
    setBusy(true);
    setError(undefined);
    try {
      const made = await create(user);
      if (made?.mailed) {
        setBusy(false);
        setAsked(user);
        return;
      }
    } catch (failure) {
      setError(sentenceOf(failure));
      setBusy(false);
      return;
    }
    // The user is there: a sign-in that does not go through now is tried again on its own page.
    if (await signInWith(user, next())) window.location.assign(notSignedIn);
  };
  if (asked)
    return (
      <CheckMail
        email={asked.email}
        mailAgain={() => create(asked)}
        onCorrect={() => {
          setCorrects(asked);
          setAsked(undefined);
        }}
      />
    );
  return (
    <AuthForm title={title} lead={lead} submit={submit} busy={busy} error={error} onSubmit={send} foot={foot}>
      {asksName && (
        <Field label={auth.signUp.account} help={auth.signUp.accountHelp}>
          {(tie) => (
            <Input
              {...tie}
              name="accountName"
              autoComplete="organization"
              defaultValue={corrects?.accountName}
              required
              maxLength={100}
              autoFocus={corrects === undefined}
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
            defaultValue={corrects?.email}
            autoFocus={!asksName || corrects !== undefined}
          />
        )}
      </Field>
      <NewPassword />
    </AuthForm>
  );
}

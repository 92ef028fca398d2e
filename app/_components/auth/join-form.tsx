'use client';

import { useMutation } from '@tanstack/react-query';
import Link from 'next/link';
import { useEffect, useState } from 'react';
import { NewPassword } from '#app/_components/account/password-fields.tsx';
import { Field, Input } from '#app/_components/ui/field.tsx';
import { auth } from '#app/_texts/auth.ts';
import { people } from '#app/_texts/people.ts';
import { useTRPC } from '#app/_trpc/client.ts';
import { sentenceOf } from '#app/_trpc/provider.tsx';
import { ACCOUNT_COOKIE } from '#server/dashboard/account-cookie.ts';
import { AUTH_LINK, AuthForm, AuthHead } from './auth-form.tsx';
import { signInWith } from './sign-in-with.ts';

const texts = people.join;
/** It stands after the `#`, and reaches the server only in what this page asks. */
const tokenHere = () => window.location.hash.slice(1);

/** What an invitation leads to: joining as who is signed in, or as a new user. */
export function JoinForm({ signedInAs }: { signedInAs: string | null }) {
  const trpc = useTRPC();
  const { mutate, data, error } = useMutation(trpc.people.open.mutationOptions());
  useEffect(() => mutate({ token: tokenHere() }), [mutate]);
  if (error)
    return (
      <>
        <AuthHead title={texts.usedTitle} lead={sentenceOf(error)} />
        <p className="mt-5 text-13">
          <Link href="/" className={AUTH_LINK}>
            {texts.toStart}
          </Link>
        </p>
      </>
    );
  if (!data) return <AuthHead title={people.invite} lead={texts.opening} />;
  const head = { title: texts.title(data.accountName), lead: texts.lead(data.role) };
  return signedInAs ? <Join {...head} email={signedInAs} /> : <SignUp {...head} />;
}

function Join({ title, lead, email }: { title: string; lead: string; email: string }) {
  const trpc = useTRPC();
  const join = useMutation(
    trpc.people.join.mutationOptions({
      onSuccess: ({ accountId }) => {
        // biome-ignore lint/suspicious/noDocumentCookie: the cookie store is not in every browser yet
        document.cookie = `${ACCOUNT_COOKIE}=${accountId}; path=/; max-age=31536000; samesite=lax`;
        window.location.assign('/');
      },
    }),
  );
  return (
    <AuthForm
      title={title}
      lead={lead}
      submit={texts.submit}
      busy={join.isPending || join.isSuccess}
      error={join.error ? sentenceOf(join.error) : undefined}
      onSubmit={() => join.mutate({ token: tokenHere() })}
      foot={texts.notThis}
    >
      <p>{texts.signedInAs(email)}</p>
    </AuthForm>
  );
}

function SignUp({ title, lead }: { title: string; lead: string }) {
  const trpc = useTRPC();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const signUp = useMutation(trpc.people.signUp.mutationOptions());
  const send = async (form: FormData) => {
    const user = { email: String(form.get('email')), password: String(form.get('password')) };
    setBusy(true);
    setError(undefined);
    try {
      await signUp.mutateAsync({ ...user, token: tokenHere() });
    } catch (failure) {
      setError(sentenceOf(failure));
      setBusy(false);
      return;
    }
    // The user is there: a sign-in that does not go through now is tried again on its own page.
    if (await signInWith(user, '/')) window.location.assign('/sign-in?created=1');
  };
  return (
    <AuthForm
      title={title}
      lead={lead}
      submit={texts.signUp}
      busy={busy}
      error={error}
      onSubmit={send}
      foot={
        <>
          {texts.haveUser}{' '}
          <Link href="/sign-in" className={AUTH_LINK}>
            {texts.signIn}
          </Link>
        </>
      }
    >
      <Field label={auth.email}>
        {(tie) => (
          <Input
            {...tie}
            name="email"
            type="email"
            autoComplete="username"
            required
            maxLength={254}
            autoFocus
          />
        )}
      </Field>
      <NewPassword />
    </AuthForm>
  );
}

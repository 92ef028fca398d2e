'use client';

import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import Link from '#app/_components/ui/link.tsx';
import { people } from '#app/_features/account/people-words.ts';
import { keepChoice } from '#app/_features/shell/keep-choice.ts';
import { useTRPC } from '#app/_trpc/client.ts';
import { sentenceOf } from '#app/_trpc/provider.tsx';
import { AUTH_LINK, AuthForm, AuthHead, UsedLink } from './auth-form.tsx';
import { UserForm } from './user-form.tsx';

const texts = people.join;
/** The token after the `#`; it reaches the server only in this page's requests. */
const tokenHere = () => window.location.hash.slice(1);

/** An existing user has not joined yet: the same page asks again after the sign-in. */
const AFTER_SIGN_UP = '?after=sign-up';

/** Accepts an invitation as the signed-in user, or as a new one. */
export function JoinForm({ signedInAs }: { signedInAs: string | null }) {
  const trpc = useTRPC();
  const { mutate, data, error } = useMutation(trpc.people.open.mutationOptions());
  useEffect(() => mutate({ token: tokenHere() }), [mutate]);
  // A new user has already joined before the sign-in.
  const joined = error !== null && signedInAs !== null && window.location.search === AFTER_SIGN_UP;
  useEffect(() => {
    if (joined) window.location.replace('/');
  }, [joined]);
  if (joined) return <AuthHead title={people.invite} lead={texts.opening} />;
  if (error) {
    const toStart = signedInAs === null ? texts.toSignIn : texts.toStart;
    return <UsedLink title={texts.usedTitle} why={sentenceOf(error)} toStart={toStart} />;
  }
  if (!data) return <AuthHead title={people.invite} lead={texts.opening} />;
  const head = { title: texts.title(data.accountName), lead: texts.lead(data.role) };
  return signedInAs ? <Join {...head} email={signedInAs} /> : <SignUp {...head} />;
}

function Join({ title, lead, email }: { title: string; lead: string; email: string }) {
  const trpc = useTRPC();
  const join = useMutation(
    trpc.people.join.mutationOptions({
      onSuccess: ({ accountId }) => {
        keepChoice('account', accountId);
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
      error={join.error}
      onSubmit={() => join.mutate({ token: tokenHere() })}
      foot={texts.notThis}
    >
      <p>{texts.signedInAs(email)}</p>
    </AuthForm>
  );
}

function SignUp({ title, lead }: { title: string; lead: string }) {
  const trpc = useTRPC();
  const signUp = useMutation(trpc.people.signUp.mutationOptions());
  return (
    <UserForm
      title={title}
      lead={lead}
      submit={texts.signUp}
      asksName={false}
      create={({ email, password }) => signUp.mutateAsync({ email, password, token: tokenHere() })}
      next={() => `/join${AFTER_SIGN_UP}#${tokenHere()}`}
      notSignedIn="/sign-in?created=invited"
      foot={
        <>
          {texts.haveUser}{' '}
          <Link href="/sign-in" className={AUTH_LINK}>
            {texts.signIn}
          </Link>
        </>
      }
    />
  );
}

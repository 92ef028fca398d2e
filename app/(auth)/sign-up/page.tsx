import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import Link from '#app/_components/ui/link.tsx';
import { AUTH_LINK, AuthHead } from '#app/_features/auth/auth-form.tsx';
import { NewUserForm } from '#app/_features/auth/new-user-form.tsx';
import { auth } from '#app/_features/auth/words.ts';
import { currentUser } from '#server/auth/session.ts';
import { settings } from '#server/settings.ts';

export const metadata: Metadata = { title: auth.signUp.title };

export default async function SignUpPage() {
  if (await currentUser()) redirect('/');
  const texts = auth.signUp;
  const toSignIn = (
    <>
      {texts.haveAccount}{' '}
      <Link href="/sign-in" className={AUTH_LINK}>
        {texts.toSignIn}
      </Link>
    </>
  );
  if (!settings.signUpOpen) {
    return (
      <>
        <AuthHead title={texts.closedTitle} lead={texts.closed} />
        <p className="mt-5 text-13 text-ink-2">{toSignIn}</p>
      </>
    );
  }
  return <NewUserForm title={texts.title} lead={texts.lead} submit={texts.submit} foot={toSignIn} />;
}

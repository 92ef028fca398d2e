import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { SignInForm } from '#app/_components/auth/sign-in-form.tsx';
import { auth } from '#app/_texts/auth.ts';
import { currentUser } from '#server/auth/session.ts';
import { settings } from '#server/settings.ts';

export const metadata: Metadata = { title: auth.signIn.title };

export default async function SignInPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  if (await currentUser()) redirect('/');
  const { next, created, reset } = await searchParams;
  return (
    <SignInForm
      next={typeof next === 'string' ? next : null}
      created={created === '1'}
      reset={reset === '1'}
      signUpOpen={settings.signUpOpen}
    />
  );
}

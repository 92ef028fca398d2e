import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { ownPath } from '#app/_features/auth/own-path.ts';
import { SignInForm } from '#app/_features/auth/sign-in-form.tsx';
import { auth } from '#app/_features/auth/words.ts';
import { currentUser } from '#server/auth/session.ts';
import { settings } from '#server/settings.ts';

const CREATED = ['account', 'invited', 'confirmed'] as const;

export const metadata: Metadata = { title: auth.signIn.title };

export default async function SignInPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const { next: given, created, reset } = await searchParams;
  const next = typeof given === 'string' ? given : null;
  if (await currentUser()) redirect(ownPath(next));
  return (
    <SignInForm
      next={next}
      created={CREATED.find((how) => how === created) ?? null}
      reset={reset === '1'}
      signUpOpen={settings.signUpOpen}
    />
  );
}

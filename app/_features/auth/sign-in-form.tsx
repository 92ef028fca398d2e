'use client';

import { useState } from 'react';
import { InputField } from '#app/_components/ui/input-field.tsx';
import Link from '#app/_components/ui/link.tsx';
import { Note } from '#app/_components/ui/note.tsx';
import { CodeField, PresentPassword } from '#app/_features/account/password-fields.tsx';
import { AUTH_LINK, AuthForm } from './auth-form.tsx';
import { type NotSignedIn, signInWith } from './sign-in-with.ts';
import { auth } from './words.ts';

export function SignInForm({
  next,
  created,
  reset,
  signUpOpen,
}: {
  next: string | null;
  /** How a user was just created, when the automatic sign-in failed. */
  created: keyof typeof auth.signIn.created | null;
  /** A new password was just set. */
  reset: boolean;
  signUpOpen: boolean;
}) {
  const texts = auth.signIn;
  const [problem, setProblem] = useState<NotSignedIn | null>(null);
  // Once a code was requested, the field stays after every failure.
  const [wantsCode, setWantsCode] = useState(false);
  const [busy, setBusy] = useState(false);
  const submit = async (values: FormData) => {
    setBusy(true);
    const code = values.get('code');
    const found = await signInWith(
      {
        email: String(values.get('email')),
        password: String(values.get('password')),
        ...(code === null ? {} : { code: String(code) }),
      },
      next,
    );
    setBusy(false);
    setProblem(found);
    if (found?.wantsCode) setWantsCode(true);
  };
  const asks = problem?.wantsCode === 'first';
  const before = created ? texts.created[created] : reset ? texts.reset : null;
  const notice = asks ? problem.sentence : problem ? null : before;
  return (
    <AuthForm
      {...texts}
      error={problem && !asks ? problem.sentence : undefined}
      notice={notice && <Note tone={asks ? 'wait' : 'ok'}>{notice}</Note>}
      busy={busy}
      onSubmit={submit}
      foot={
        signUpOpen && (
          <>
            {texts.noAccount}{' '}
            <Link href="/sign-up" className={AUTH_LINK}>
              {texts.toSignUp}
            </Link>
          </>
        )
      }
    >
      <InputField label={auth.email} name="email" type="email" autoComplete="username" required autoFocus />
      <PresentPassword name="password" />
      {wantsCode && <CodeField />}
      <p className="-mt-1 text-12">
        <Link href="/forgot" className={AUTH_LINK}>
          {texts.forgot}
        </Link>
      </p>
    </AuthForm>
  );
}

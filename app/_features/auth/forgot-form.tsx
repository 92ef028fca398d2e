'use client';

import { useMutation } from '@tanstack/react-query';
import { InputField } from '#app/_components/ui/input-field.tsx';
import Link from '#app/_components/ui/link.tsx';
import { Note } from '#app/_components/ui/note.tsx';
import { useTRPC } from '#app/_trpc/client.ts';
import { AUTH_LINK, AuthForm } from './auth-form.tsx';
import { auth } from './words.ts';

const texts = auth.forgot;

/** Requests a reset mail; the answer is the same whether or not the address has a user. */
export function ForgotForm() {
  const trpc = useTRPC();
  const ask = useMutation(trpc.user.mailResetLink.mutationOptions());
  return (
    <AuthForm
      {...texts}
      lead={texts.mailLead}
      busy={ask.isPending}
      error={ask.error}
      onSubmit={(values) => ask.mutate({ email: String(values.get('email')) })}
      foot={
        <Link href="/sign-in" className={AUTH_LINK}>
          {auth.reset.toSignIn}
        </Link>
      }
    >
      {ask.isSuccess && <Note tone="ok">{texts.asked}</Note>}
      <InputField label={auth.email} name="email" type="email" autoComplete="username" required />
    </AuthForm>
  );
}

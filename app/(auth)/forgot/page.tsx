import type { Metadata } from 'next';
import Link from '#app/_components/ui/link.tsx';
import { AUTH_LINK, AuthHead } from '#app/_features/auth/auth-form.tsx';
import { ForgotForm } from '#app/_features/auth/forgot-form.tsx';
import { auth } from '#app/_features/auth/words.ts';
import { settings } from '#server/settings.ts';

export const metadata: Metadata = { title: auth.forgot.title };

export default function ForgotPage() {
  if (settings.smtpUrl !== undefined) return <ForgotForm />;
  return (
    <>
      <AuthHead title={auth.forgot.title} lead={auth.forgot.lead} />
      <p className="mt-5 text-13 text-ink-2">
        <Link href="/sign-in" className={AUTH_LINK}>
          {auth.reset.toSignIn}
        </Link>
      </p>
    </>
  );
}

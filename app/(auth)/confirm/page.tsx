import type { Metadata } from 'next';
import { ConfirmForm } from '#app/_features/auth/confirm-form.tsx';
import { auth } from '#app/_features/auth/words.ts';

export const metadata: Metadata = { title: auth.confirm.title };

/** The target of the mailed link after a sign-up. */
export default function ConfirmPage() {
  return <ConfirmForm />;
}

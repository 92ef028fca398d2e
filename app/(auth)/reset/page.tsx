import type { Metadata } from 'next';
import { ResetForm } from '#app/_features/auth/reset-form.tsx';
import { auth } from '#app/_features/auth/words.ts';

export const metadata: Metadata = { title: auth.reset.title };

export default function ResetPage() {
  return <ResetForm />;
}

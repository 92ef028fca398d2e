import type { Metadata } from 'next';
import { ResetForm } from '#app/_components/auth/reset-form.tsx';
import { auth } from '#app/_texts/auth.ts';

export const metadata: Metadata = { title: auth.reset.title };

export default function ResetPage() {
  return <ResetForm />;
}

import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { AuthHead } from '#app/_features/auth/auth-form.tsx';
import { LeaveButton } from '#app/_features/auth/leave-button.tsx';
import { auth } from '#app/_features/auth/words.ts';
import { currentUser } from '#server/auth/session.ts';

export const metadata: Metadata = { title: auth.noAccount.title };

/** For a user without an account: every page of the dashboard redirects here. */
export default async function NoAccountPage() {
  const user = await currentUser();
  if (!user) redirect('/sign-in');
  if (user.views || user.accounts.length > 0) redirect('/');
  return (
    <>
      <AuthHead title={auth.noAccount.title} lead={auth.noAccount.lead(user.email)} />
      <LeaveButton />
    </>
  );
}

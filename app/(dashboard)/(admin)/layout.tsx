import { notFound, redirect } from 'next/navigation';
import type { ReactNode } from 'react';
import { currentUser } from '#server/auth/session.ts';

/** For everybody else these pages are not there; the procedures beneath decide it again. */
export default async function AdminLayout({ children }: { children: ReactNode }) {
  const user = await currentUser();
  if (!user?.admin) notFound();
  // Who looks at an account sees what its people see; the bar above leads back here.
  if (user.views) redirect('/');
  return children;
}

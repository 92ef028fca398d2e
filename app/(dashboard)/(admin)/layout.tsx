import { notFound, redirect } from 'next/navigation';
import type { ReactNode } from 'react';
import { currentUser } from '#server/auth/session.ts';

/** Hides these pages from everybody else; the procedures check again. */
export default async function AdminLayout({ children }: { children: ReactNode }) {
  const user = await currentUser();
  if (!user?.admin) notFound();
  // An administrator who views an account sees what a member sees; the bar at the top leads back.
  if (user.views) redirect('/');
  return children;
}

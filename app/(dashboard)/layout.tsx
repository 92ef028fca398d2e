import { headers } from 'next/headers';
import { redirect } from 'next/navigation';
import type { ReactNode } from 'react';
import { Shell } from '#app/_components/shell/shell.tsx';
import { asSent } from '#server/dashboard/as-sent.ts';
import { dashboardContext } from '#server/dashboard/handle.ts';
import { callerOf } from '#server/dashboard/router.ts';

/** Everything inside asks for a session; what each page may show is decided again in its procedures. */
export default async function DashboardLayout({ children }: { children: ReactNode }) {
  const context = await dashboardContext(await headers());
  if (!context.user) redirect('/sign-in');
  if (context.user.accounts.length === 0 && !context.user.views) redirect('/no-account');
  const api = callerOf(context);
  const [me, numbers] = await Promise.all([api.account.me(), api.numbers.list()]);
  return (
    <Shell me={asSent({ ...me, numbers })} renderedAt={new Date().toISOString()}>
      {children}
    </Shell>
  );
}

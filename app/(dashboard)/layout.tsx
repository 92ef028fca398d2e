import { headers } from 'next/headers';
import { redirect } from 'next/navigation';
import type { ReactNode } from 'react';
import { ASKED_FOR, signInFor } from '#app/_features/auth/asked-for.ts';
import { Shell } from '#app/_features/shell/shell.tsx';
import { asSent } from '#server/dashboard/as-sent.ts';
import { dashboardContext } from '#server/dashboard/handle.ts';
import { SHOWN_ACCOUNT, SHOWN_USER } from '#server/dashboard/paths.ts';
import { callerOf } from '#server/dashboard/router.ts';

/** Requires a session; the procedures check what each page may show. */
export default async function DashboardLayout({ children }: { children: ReactNode }) {
  const asked = await headers();
  const context = await dashboardContext(asked);
  if (!context.user) redirect(signInFor(asked.get(ASKED_FOR)));
  if (context.user.accounts.length === 0 && !context.user.views) redirect('/no-account');
  const api = callerOf(context);
  const [me, numbers] = await Promise.all([api.account.me(), api.numbers.list()]);
  const { accountId } = me.account;
  const { userId } = context.user;
  const shown = { [SHOWN_ACCOUNT]: accountId, [SHOWN_USER]: userId };
  return (
    // With the key, nothing that was loaded for one account or user is shown for another.
    <Shell
      key={`${accountId} ${userId}`}
      me={asSent({ ...me, numbers, shown })}
      api={`/api/trpc?${new URLSearchParams(shown)}`}
      renderedAt={new Date().toISOString()}
    >
      {children}
    </Shell>
  );
}

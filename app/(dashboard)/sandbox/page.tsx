import type { Metadata } from 'next';
import { headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { SandboxStart } from '#app/_features/sandbox/sandbox-start.tsx';
import { sandbox } from '#app/_features/sandbox/words.ts';
import { dashboardContext } from '#server/dashboard/handle.ts';
import { callerOf } from '#server/dashboard/router.ts';

export const metadata: Metadata = { title: sandbox.title };

/** Redirects to the first virtual phone, or offers to add one. */
export default async function SandboxStartPage() {
  const context = await dashboardContext(await headers());
  // The layout sends signed-out visitors to the sign-in page.
  if (!context.user) return null;
  const numbers = await callerOf(context).numbers.list();
  const first = numbers.find(({ network }) => network === 'sandbox');
  if (first) redirect(`/sandbox/${first.id}`);
  return <SandboxStart />;
}

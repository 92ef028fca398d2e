import { headers } from 'next/headers';
import { dashboardContext } from '#server/dashboard/handle.ts';
import { callerOf } from '#server/dashboard/router.ts';

/**
 * Asks the dashboard's API while a page is rendered. Null for a signed-out visitor, whom the layout sends to the sign-in
 * page, and for a number that is missing, which the page says.
 */
export async function askOnServer<Answer>(
  ask: (api: ReturnType<typeof callerOf>) => Promise<Answer>,
): Promise<Answer | null> {
  const context = await dashboardContext(await headers());
  return context.user ? ask(callerOf(context)).catch(() => null) : null;
}

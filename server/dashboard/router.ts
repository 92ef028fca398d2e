import type { DashboardContext } from './context.ts';
import { account } from './routers/account.ts';
import { activity } from './routers/activity.ts';
import { admin } from './routers/admin.ts';
import { alerts } from './routers/alerts.ts';
import { keys } from './routers/keys.ts';
import { live } from './routers/live.ts';
import { messages } from './routers/messages.ts';
import { numbers } from './routers/numbers.ts';
import { people } from './routers/people.ts';
import { requests } from './routers/requests.ts';
import { sandbox } from './routers/sandbox.ts';
import { user } from './routers/user.ts';
import { webhooks } from './routers/webhooks.ts';
import { createCaller, router } from './trpc.ts';

/** The dashboard's own API. */
export const appRouter = router({
  account,
  activity,
  admin,
  alerts,
  keys,
  live,
  messages,
  numbers,
  people,
  requests,
  sandbox,
  user,
  webhooks,
});

export type AppRouter = typeof appRouter;

/** The procedures, for a page that is rendered on the server. `signal` ends streams. */
export const callerOf = (context: DashboardContext, signal?: AbortSignal) =>
  createCaller(appRouter)(context, { signal });

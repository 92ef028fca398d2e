import { z } from 'zod';
import { listAlerts, markAlertsRead } from '#server/alerts/list-alerts.ts';
import { memberProcedure, router } from '../trpc.ts';

/** What the account's members should know. */
export const alerts = router({
  list: memberProcedure.query(({ ctx }) => listAlerts(ctx)),

  /** One, or all that there are until now, for who is signed in. */
  markRead: memberProcedure
    .input(z.object({ alertId: z.string().max(64).optional() }))
    .mutation(({ ctx, input }) => markAlertsRead(ctx, input)),
});

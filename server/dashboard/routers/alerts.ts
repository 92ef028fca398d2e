import { z } from 'zod';
import { listAlerts } from '#server/alerts/list-alerts.ts';
import { markAlertsRead } from '#server/alerts/mark-alerts-read.ts';
import { memberProcedure, router } from '../trpc.ts';

/** What the account's people should know without looking. */
export const alerts = router({
  list: memberProcedure.query(({ ctx }) =>
    listAlerts(ctx.database.db, { accountId: ctx.accountId, userId: ctx.user.userId }),
  ),

  /** One, or all that there are until now, for who is signed in. */
  markRead: memberProcedure
    .input(z.object({ alertId: z.string().max(64).optional() }))
    .mutation(async ({ ctx, input: { alertId } }) => {
      const { accountId, user } = ctx;
      const one = alertId === undefined ? {} : { alertId };
      await markAlertsRead(ctx.database.db, { accountId, userId: user.userId, ...one });
    }),
});

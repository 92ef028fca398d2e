import { listAlerts } from '#server/services/list-alerts.ts';
import { markAlertsRead } from '#server/services/mark-alerts-read.ts';
import { memberProcedure, router } from '../trpc.ts';

/** What the account's people should hear of without looking. */
export const alerts = router({
  list: memberProcedure.query(({ ctx }) =>
    listAlerts(ctx.database.db, { accountId: ctx.accountId, userId: ctx.user.userId }),
  ),

  /** All that there are until now, for who is signed in. */
  markRead: memberProcedure.mutation(async ({ ctx }) => {
    await markAlertsRead(ctx.database.db, { accountId: ctx.accountId, userId: ctx.user.userId });
  }),
});

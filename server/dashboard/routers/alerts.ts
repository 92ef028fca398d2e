import { z } from 'zod';
import { listAlerts, markAlertsRead } from '#server/alerts/list-alerts.ts';
import { memberProcedure, router } from '../trpc.ts';

export const alerts = router({
  list: memberProcedure.query(({ ctx }) => listAlerts(ctx)),

  /** Marks one alert or all as read, for the signed-in user. */
  markRead: memberProcedure
    .input(z.object({ alertId: z.string().max(64).optional() }))
    .mutation(({ ctx, input }) => markAlertsRead(ctx, input)),
});

import { z } from 'zod';
import { ACTIVITY_RANGES, type ActivityRange, activity as readActivity } from '#server/accounts/activity.ts';
import { memberProcedure, router } from '../trpc.ts';

const RANGES = Object.keys(ACTIVITY_RANGES) as [ActivityRange, ...ActivityRange[]];

/**
 * Separate from `account`, which a page loads again after each change: a chart of 90 days reads too much for that.
 */
export const activity = router({
  chart: memberProcedure
    .input(z.object({ range: z.enum(RANGES), numberId: z.string().max(64).optional() }))
    .query(({ ctx, input }) => readActivity(ctx, input)),
});

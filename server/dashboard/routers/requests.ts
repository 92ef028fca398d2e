import { z } from 'zod';
import { getRequest, listRequests } from '#server/requests/list-requests.ts';
import { dismissUnsent } from '#server/requests/unsent-requests.ts';
import { usageByDay } from '#server/requests/usage-by-day.ts';
import { RequestFilters, withDates } from '../list-filters.ts';
import { memberProcedure, router } from '../trpc.ts';

/** An account's requests to the API. */
export const requests = router({
  list: memberProcedure
    .input(RequestFilters.extend({ cursor: z.number().int().nullish() }))
    .query(({ ctx, input: { cursor, ...filter } }) =>
      listRequests(ctx, { ...withDates(filter), before: cursor ?? undefined }),
    ),

  get: memberProcedure
    .input(z.object({ requestId: z.string().max(64) }))
    .query(({ ctx, input }) => getRequest(ctx, input)),

  /** Takes a number's refused requests out of the overview's list of what needs attention. */
  dismiss: memberProcedure
    .input(z.object({ numberId: z.string().max(64).nullable(), latestId: z.number().int() }))
    .mutation(({ ctx, input }) => dismissUnsent(ctx, input)),

  /** Of the last 7 days, by key and number. */
  usage: memberProcedure.query(({ ctx }) => usageByDay(ctx)),
});

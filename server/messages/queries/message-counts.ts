import { type SQL, sql } from 'drizzle-orm';
import type { CountedOutcome } from '#server/schema/message-counts.ts';

/** The current hour or day in a time zone. `now()`: an index serves only a bound that is fixed for the statement. */
export const startOf = (unit: 'hour' | 'day' | 'month', timeZone: string): SQL =>
  sql`date_trunc(${unit}, now(), ${timeZone})`;

/**
 * An account's counted messages since an hour or day began, as rows of `number_id`, `api_key_id`, `outcome`, `at` and
 * `n`: the kept counts and what is not yet added to them, in one snapshot. `at` lies in the hour or day.
 */
export const countedMessages = (params: { accountId: string; unit: 'hour' | 'day'; from: SQL }): SQL =>
  sql`(
    select c.number_id, c.api_key_id, c.outcome, c.at, c.count as n from message_counts c
    where c.account_id = ${params.accountId} and c.unit = ${params.unit} and c.at >= ${params.from}
    union all
    select d.number_id, d.api_key_id, d.outcome, d.created_at, d.amount from message_count_deltas d
    where d.account_id = ${params.accountId} and d.created_at >= ${params.from})`;

/** How many of the rows of {@link countedMessages} have one of these outcomes. */
export const sumOf = (...outcomes: CountedOutcome[]): SQL<number> =>
  sql<number>`coalesce(sum(n) filter (where outcome in ${outcomes}), 0)::int`;

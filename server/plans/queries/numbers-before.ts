import { sql } from 'drizzle-orm';

/** How many of the numbers that the plan counts precede the number `n`, with those first that their owner keeps. */
export const NUMBERS_BEFORE = sql<number>`(
  select count(*)::int from numbers o
  where o.account_id = n.account_id and o.removed_at is null and o.first_linked_at is not null
    and n.first_linked_at is not null
    and (not o.kept, o.first_linked_at, o.id) < (not n.kept, n.first_linked_at, n.id))`;

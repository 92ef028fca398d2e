import { sql } from 'drizzle-orm';

/** The oldest account of an administrator: alerts about the whole installation belong to it. */
export const OPERATORS_ACCOUNT = sql`
  select a.id from accounts a join memberships m on m.account_id = a.id join users u on u.id = m.user_id
  where u.admin and u.disabled_at is null and a.deleted_at is null order by a.created_at, a.id limit 1`;

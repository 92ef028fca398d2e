import { sql } from 'drizzle-orm';
import type { AlertFacts, AlertKind } from '#server/core/alerts.ts';
import type { Db } from '#server/platform/db/client.ts';

/** An event to report once. */
export interface FoundAlert {
  eventKey: string;
  accountId: string;
  numberId: string | null;
  kind: AlertKind;
  incident: number | null;
  /** In the form that its kind states; null if the kind says all. */
  facts: AlertFacts | null;
  /** How many messages a change of the phone number cancelled. */
  cancelled?: number;
  happenedAt: Date;
}

/** A restart or an upgrade must not report old events. */
export const REPORTED_HOURS = 24;

/** The oldest account of an administrator: alerts about the whole installation belong to it. */
export const OPERATORS_ACCOUNT = sql`
  select a.id from accounts a join memberships m on m.account_id = a.id join users u on u.id = m.user_id
  where u.admin and u.disabled_at is null and a.deleted_at is null order by a.created_at, a.id limit 1`;

/** The number of alert `a` still exists. */
export const OF_NUMBER = sql`exists (select from numbers n where n.id = a.number_id and n.removed_at is null)`;

/** No newer alert than `a` of these kinds is about the same, so that two are never open at once. */
export const newest = (...kinds: AlertKind[]) => sql`not exists (
  select from alerts k where k.account_id = a.account_id and k.number_id is not distinct from a.number_id
    and k.kind = any(${sql.param(kinds)}) and k.id > a.id)`;

/** Now, by the database's clock. */
export async function databaseNow(db: Db): Promise<Date> {
  const [row] = await db.run<{ now: Date }>(sql`select clock_timestamp() as now`);
  if (!row) throw new Error('the database does not say what time it is');
  return row.now;
}

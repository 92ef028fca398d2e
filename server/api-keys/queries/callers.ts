import { sql } from 'drizzle-orm';
import type { Network, NumberStatus } from '#server/core/number-state.ts';
import { NUMBERS_BEFORE } from '#server/plans/queries/numbers-before.ts';
import type { Database } from '#server/platform/db/client.ts';
import { anyOf, now } from '#server/platform/db/expressions.ts';
import { apiKeys } from '#server/schema/index.ts';

/** Everything that a request needs to know about its key, in one row and one round trip. */
export interface CallerRow {
  keyId: string;
  hmac: string;
  accountId: string;
  /** Revoked or expired. */
  dead: boolean;
  accountSuspended: boolean;
  numbersIncluded: number | null;
  paidUntil: string | null;
  planEnded: boolean | null;
  /** By the database's clock. */
  now: Date;
  /** How many of the numbers that the plan counts come before this one; 0 when it was never linked. */
  numbersBefore: number;
  numberId: string;
  network: Network;
  phoneNumber: string | null;
  status: NumberStatus;
  removed: boolean;
  numberSuspended: boolean;
  leaseSilentMs: number | null;
  moveGraceMs: number | null;
}

/** The row of each existing key. The only query of `GET /v1/status`. */
export async function findCallers(database: Database, params: { keyIds: string[] }): Promise<CallerRow[]> {
  // SQL, because every request runs it: the builder takes longer to write its text.
  return database.db.run<CallerRow>(sql`
    select
      n.account_id as "accountId", a.suspended_at is not null as "accountSuspended",
      s.numbers_included as "numbersIncluded", s.paid_until::text as "paidUntil", s.ended_at is not null as "planEnded", clock_timestamp() as now,
      ${NUMBERS_BEFORE} as "numbersBefore",
      n.id as "numberId", n.network, n.phone_number as "phoneNumber", n.status,
      n.removed_at is not null as removed, n.suspended_at is not null as "numberSuspended",
      (extract(epoch from clock_timestamp() - l.renewed_at) * 1000)::float8 as "leaseSilentMs",
      (extract(epoch from n.moving_until - clock_timestamp()) * 1000)::float8 as "moveGraceMs",
      k.id as "keyId", k.hmac,
      (k.revoked_at is not null or coalesce(k.expires_at <= clock_timestamp(), false)) as dead
    from api_keys k
    join accounts a on a.id = k.account_id
    join numbers n on n.id = k.number_id and n.account_id = k.account_id
    left join leases l on l.number_id = n.id
    left join subscriptions s on s.account_id = k.account_id
    where k.id = any(${sql.param(params.keyIds)})`);
}

/** Records that keys were used now. */
export async function touchKeys(database: Database, params: { keyIds: string[] }): Promise<void> {
  await database.db.update(apiKeys).set({ lastUsedAt: now }).where(anyOf(apiKeys.id, params.keyIds));
}

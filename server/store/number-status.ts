import { sql } from 'drizzle-orm';
import { type NumberStatus, type StoredNumberState, shownStatus } from '#server/core/number-state.ts';
import type { Db } from '#server/db/client.ts';

/** A number's state as a reader may see it right now; UNLINKED when it is gone. */
export async function shownNumberStatus(db: Db, params: { numberId: string }): Promise<NumberStatus> {
  const [row] = await db.execute<StoredNumberState & Record<string, unknown>>(sql`
    select n.status, n.suspended_at is not null as suspended,
      (extract(epoch from clock_timestamp() - l.renewed_at) * 1000)::float8 as "leaseSilentMs",
      (extract(epoch from n.moving_until - clock_timestamp()) * 1000)::float8 as "moveGraceMs"
    from numbers n left join leases l on l.number_id = n.id
    where n.id = ${params.numberId} and n.removed_at is null`);
  return row ? shownStatus(row) : 'UNLINKED';
}

import { sql } from 'drizzle-orm';
import type { Gate } from '#server/core/number-sign.ts';
import { type NumberStatus, type StoredNumberState, shownStatus } from '#server/core/number-state.ts';
import type { Db } from '#server/platform/db/client.ts';

type ShownState = Pick<Gate, 'status' | 'blockedLeftMs'>;

/** In SQL, of the numbers in table `n`: for how long one is BLOCKED still, in ms, before it connects again automatically. */
export const blockedLeftMs = (n: string): string =>
  `case when ${n}.status = 'BLOCKED' and ${n}.intent = 'run'
    then (extract(epoch from ${n}.blocked_until - clock_timestamp()) * 1000)::float8 end`;

/** A number's state as a reader may see it right now; UNLINKED when it is gone. */
export async function shownNumberStatus(db: Db, params: { numberId: string }): Promise<NumberStatus> {
  return (await shownNumberState(db, params)).status;
}

/** The same, and for how long it is refused where that is known. */
export async function shownNumberState(db: Db, params: { numberId: string }): Promise<ShownState> {
  const {
    rows: [row],
  } = await db.execute<StoredNumberState & ShownState & Record<string, unknown>>(sql`
    select n.status, n.suspended_at is not null as suspended, ${sql.raw(blockedLeftMs('n'))} as "blockedLeftMs",
      (extract(epoch from clock_timestamp() - l.renewed_at) * 1000)::float8 as "leaseSilentMs",
      (extract(epoch from n.moving_until - clock_timestamp()) * 1000)::float8 as "moveGraceMs"
    from numbers n left join leases l on l.number_id = n.id
    where n.id = ${params.numberId} and n.removed_at is null`);
  return row ? { status: shownStatus(row), blockedLeftMs: row.blockedLeftMs } : { status: 'UNLINKED' };
}

import { sql } from 'drizzle-orm';
import type { AlertKind } from '#server/core/alert.ts';
import type { Db } from '#server/db/client.ts';

export interface AlertRow {
  id: string;
  kind: AlertKind;
  numberId: string | null;
  numberLabel: string | null;
  phoneNumber: string | null;
  detail: string | null;
  happenedAt: Date;
  createdAt: Date;
}

/** An account's alerts, newest first. */
export async function listAlertRows(
  db: Db,
  params: { accountId: string; limit: number },
): Promise<AlertRow[]> {
  const rows = await db.execute<AlertRow & Record<string, unknown>>(sql`
    select a.id, a.kind, a.number_id as "numberId", n.label as "numberLabel", n.phone_number as "phoneNumber",
      a.detail, a.happened_at as "happenedAt", a.created_at as "createdAt"
    from alerts a left join numbers n on n.id = a.number_id
    where a.account_id = ${params.accountId}
    order by a.created_at desc, a.id desc limit ${params.limit}`);
  return rows.map((row) => ({
    ...row,
    happenedAt: new Date(row.happenedAt),
    createdAt: new Date(row.createdAt),
  }));
}

/** Up to when somebody has read an account's alerts: those from before they belonged to it count as read. */
export async function findAlertsReadAt(
  db: Db,
  params: { accountId: string; userId: string },
): Promise<Date | null> {
  const [row] = await db.execute<{ at: Date }>(sql`
    select coalesce(alerts_read_at, created_at) as at from memberships
    where (account_id, user_id) = (${params.accountId}, ${params.userId})`);
  return row ? new Date(row.at) : null;
}

/** Notes that somebody has read an account's alerts. */
export async function markAlertsRead(db: Db, params: { accountId: string; userId: string }): Promise<void> {
  await db.execute(sql`
    update memberships set alerts_read_at = clock_timestamp()
    where (account_id, user_id) = (${params.accountId}, ${params.userId})`);
}

import { sql } from 'drizzle-orm';
import type { AlertKind } from '#server/core/alert.ts';
import type { Db } from '#server/platform/db/client.ts';

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

/** An account's alerts, newest first, and whether one of its people has marked each one as read. */
export async function listAlertRows(
  db: Db,
  params: { accountId: string; userId: string; limit: number },
): Promise<(AlertRow & { read: boolean })[]> {
  const { rows } = await db.execute<AlertRow & { read: boolean } & Record<string, unknown>>(sql`
    select exists (select from alert_reads r where (r.alert_id, r.user_id) = (a.id, ${params.userId})) as read, a.id, a.kind, a.number_id as "numberId", n.label as "numberLabel", n.phone_number as "phoneNumber",
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
  const {
    rows: [row],
  } = await db.execute<{ at: Date }>(sql`
    select coalesce(alerts_read_at, created_at) as at from memberships
    where (account_id, user_id) = (${params.accountId}, ${params.userId})`);
  return row ? new Date(row.at) : null;
}

/** An alert over all accounts, with whose it is. */
export interface AnyAlertRow extends AlertRow {
  accountId: string;
  accountName: string;
}

/** The alerts of all accounts, newest first, from `before` on. */
export async function listAllAlertRows(
  db: Db,
  params: { before: string | null; limit: number },
): Promise<AnyAlertRow[]> {
  const { before, limit } = params;
  const { rows } = await db.execute<AnyAlertRow & Record<string, unknown>>(sql`
    select a.id, a.kind, a.number_id as "numberId", n.label as "numberLabel", n.phone_number as "phoneNumber",
      a.detail, a.happened_at as "happenedAt", a.created_at as "createdAt", o.id as "accountId", o.name as "accountName"
    from alerts a join accounts o on o.id = a.account_id left join numbers n on n.id = a.number_id
    where o.deleted_at is null and (${before}::text is null or a.id < ${before})
    order by a.id desc limit ${limit}`);
  return rows.map((row) => ({
    ...row,
    happenedAt: new Date(row.happenedAt),
    createdAt: new Date(row.createdAt),
  }));
}

/** Notes that somebody has read one alert of an account; false when the account has none such. */
export async function markAlertRead(
  db: Db,
  params: { accountId: string; userId: string; alertId: string },
): Promise<boolean> {
  const { rows } = await db.execute(sql`
    with one as (select id from alerts where id = ${params.alertId} and account_id = ${params.accountId}),
    noted as (
      insert into alert_reads (alert_id, user_id) select id, ${params.userId} from one on conflict do nothing
    )
    select id from one`);
  return rows.length > 0;
}

/** Notes that somebody has read an account's alerts. */
export async function markAlertsRead(db: Db, params: { accountId: string; userId: string }): Promise<void> {
  await db.execute(sql`
    update memberships set alerts_read_at = clock_timestamp()
    where (account_id, user_id) = (${params.accountId}, ${params.userId})`);
}

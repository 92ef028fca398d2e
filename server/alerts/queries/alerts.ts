import { and, desc, eq, exists, gt, isNotNull, isNull, lt, or, type SQL, sql } from 'drizzle-orm';
import type { AlertKind } from '#server/core/alerts.ts';
import type { Db } from '#server/platform/db/client.ts';
import { anyOf, daysAgo, now } from '#server/platform/db/expressions.ts';
import { accounts, alertReads, alerts, memberships, numbers } from '#server/schema/index.ts';
import type { Counted } from './counted.ts';
import { type PlanLoss, planLoss } from './plan-loss.ts';

const alertRow = {
  id: alerts.id,
  kind: alerts.kind,
  numberId: alerts.numberId,
  numberLabel: numbers.label,
  phoneNumber: numbers.phoneNumber,
  facts: alerts.facts,
  cancelled: alerts.cancelled,
  /** The account's; null if it has none. */
  timeZone: accounts.timeZone,
  happenedAt: alerts.happenedAt,
  endedAt: alerts.endedAt,
  createdAt: alerts.createdAt,
};

/**
 * An account's alerts of these kinds, newest first, whether one of its members has marked each one as read, and what it
 * counts, if that is asked for.
 */
export function listAlertRows(
  db: Db,
  params: {
    accountId: string;
    userId: string;
    limit: number;
    kinds: readonly AlertKind[];
  },
  counted: SQL = sql`null`,
) {
  const { userId } = params;
  const reads = db
    .select({ alertId: alertReads.alertId })
    .from(alertReads)
    .where(and(eq(alertReads.alertId, alerts.id), eq(alertReads.userId, userId)));
  return db
    .select({
      ...alertRow,
      read: sql<boolean>`${exists(reads)}`,
      counted: sql<Counted>`${counted}`,
    })
    .from(alerts)
    .innerJoin(accounts, eq(accounts.id, alerts.accountId))
    .leftJoin(numbers, eq(numbers.id, alerts.numberId))
    .where(and(eq(alerts.accountId, params.accountId), anyOf(alerts.kind, params.kinds)))
    .orderBy(desc(alerts.createdAt), desc(alerts.happenedAt), desc(alerts.id))
    .limit(params.limit);
}

/** The last end of an account's plan that is not over, or ended within `days`: when, and what was not sent. */
export async function findPlanLoss(
  db: Db,
  params: { accountId: string; days: number },
): Promise<{ since: Date; over: boolean; loss: PlanLoss } | null> {
  const [row] = await db
    .select({
      since: alerts.happenedAt,
      over: sql<boolean>`${isNotNull(alerts.endedAt)}`,
      // As JSON, because it is of several columns.
      loss: sql<PlanLoss>`(select to_jsonb(l) from (${planLoss('alerts')}) l)`,
    })
    .from(alerts)
    .where(
      and(
        eq(alerts.accountId, params.accountId),
        eq(alerts.kind, 'plan_ended'),
        or(isNull(alerts.endedAt), gt(alerts.endedAt, daysAgo(params.days))),
      ),
    )
    .orderBy(desc(alerts.happenedAt))
    .limit(1);
  return row ?? null;
}

/** The time up to which a member has read an account's alerts. Alerts from before the membership count as read. */
export async function findAlertsReadAt(
  db: Db,
  params: { accountId: string; userId: string },
): Promise<Date | null> {
  const [row] = await db
    .select({ readAt: memberships.alertsReadAt, createdAt: memberships.createdAt })
    .from(memberships)
    .where(membershipOf(params));
  return row ? (row.readAt ?? row.createdAt) : null;
}

/** The alerts of these kinds of all accounts that are older than `before`, newest first. */
export function listAllAlertRows(
  db: Db,
  { before, limit, kinds }: { before: string | null; limit: number; kinds: readonly AlertKind[] },
) {
  return db
    .select({ ...alertRow, accountId: accounts.id, accountName: accounts.name })
    .from(alerts)
    .innerJoin(accounts, eq(accounts.id, alerts.accountId))
    .leftJoin(numbers, eq(numbers.id, alerts.numberId))
    .where(
      and(
        isNull(accounts.deletedAt),
        anyOf(alerts.kind, kinds),
        before === null ? undefined : lt(alerts.id, before),
      ),
    )
    .orderBy(desc(alerts.id))
    .limit(limit);
}

/** Records that a member has read one alert; false when the account has no such alert. */
export async function markAlertRead(
  db: Db,
  params: { accountId: string; userId: string; alertId: string },
): Promise<boolean> {
  // One statement marks the alert and returns whether it exists, also if it was marked before.
  const rows = await db.run(sql`
    with one as (select id from alerts where id = ${params.alertId} and account_id = ${params.accountId}),
    noted as (
      insert into alert_reads (alert_id, user_id) select id, ${params.userId} from one on conflict do nothing
    )
    select id from one`);
  return rows.length > 0;
}

export async function markAlertsRead(db: Db, params: { accountId: string; userId: string }): Promise<void> {
  await db.update(memberships).set({ alertsReadAt: now }).where(membershipOf(params));
}

const membershipOf = ({ accountId, userId }: { accountId: string; userId: string }) =>
  and(eq(memberships.accountId, accountId), eq(memberships.userId, userId));

import { and, desc, eq, exists, gt, inArray, isNotNull, isNull, lt, or, sql } from 'drizzle-orm';
import { ALERT_KINDS, MEMBERS_ALERTS } from '#server/core/alerts.ts';
import type { Db } from '#server/platform/db/client.ts';
import { anyOf, daysAgo, now } from '#server/platform/db/expressions.ts';
import { accounts, alertReads, alerts, memberships, numbers } from '#server/schema/index.ts';
import { COUNTS_LOSS, type PlanLoss, planLoss } from './plan-loss.ts';
import { type RefusedRequests, refusedInSeries } from './refused-requests.ts';

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
  /** What an alert about refused requests counts; null for another one. */
  series: sql<RefusedRequests | null>`case when ${alerts.kind} = 'requests_refused'
    then (select to_jsonb(s) from (${refusedInSeries('alerts')}) s) end`,
  happenedAt: alerts.happenedAt,
  endedAt: alerts.endedAt,
  createdAt: alerts.createdAt,
};

/** What an alert about a plan counts. As JSON, because it is of several columns. */
const LOSS = sql<PlanLoss>`(select to_jsonb(l) from (${planLoss('alerts')}) l)`;

/**
 * An account's alerts for its members, newest first, whether one of its members has marked each one as read, and what
 * an alert about a plan counts.
 */
export function listAlertRows(db: Db, params: { accountId: string; userId: string; limit: number }) {
  const { userId } = params;
  const reads = db
    .select({ alertId: alertReads.alertId })
    .from(alertReads)
    .where(and(eq(alertReads.alertId, alerts.id), eq(alertReads.userId, userId)));
  return db
    .select({
      ...alertRow,
      read: sql<boolean>`${exists(reads)}`,
      loss: sql<PlanLoss | null>`case when ${inArray(alerts.kind, [...COUNTS_LOSS])} then ${LOSS} end`,
    })
    .from(alerts)
    .innerJoin(accounts, eq(accounts.id, alerts.accountId))
    .leftJoin(numbers, eq(numbers.id, alerts.numberId))
    .where(and(eq(alerts.accountId, params.accountId), anyOf(alerts.kind, MEMBERS_ALERTS)))
    .orderBy(desc(alerts.createdAt), desc(alerts.happenedAt), desc(alerts.id))
    .limit(params.limit);
}

/** The last end of an account's plan that is not over, or ended within `days`: when, and what was not sent. */
export async function findPlanLoss(
  db: Db,
  params: { accountId: string; days: number },
): Promise<{ since: Date; over: boolean; loss: PlanLoss } | null> {
  const [row] = await db
    .select({ since: alerts.happenedAt, over: sql<boolean>`${isNotNull(alerts.endedAt)}`, loss: LOSS })
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

/** The alerts of all accounts that are older than `before`, newest first. */
export function listAllAlertRows(db: Db, { before, limit }: { before: string | null; limit: number }) {
  return db
    .select({ ...alertRow, accountId: accounts.id, accountName: accounts.name })
    .from(alerts)
    .innerJoin(accounts, eq(accounts.id, alerts.accountId))
    .leftJoin(numbers, eq(numbers.id, alerts.numberId))
    .where(
      and(
        isNull(accounts.deletedAt),
        anyOf(alerts.kind, ALERT_KINDS),
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

import { and, eq, lt, sql } from 'drizzle-orm';
import { type AlertKind, onlyFor } from '#server/core/alerts.ts';
import type { Database } from '#server/platform/db/client.ts';
import { daysAgo, msFromNow, now } from '#server/platform/db/expressions.ts';
import { alertMails, alerts } from '#server/schema/index.ts';
import type { FoundAlert } from './alert-watch.ts';

/**
 * Raises an alert, with a mail to each of the account's members and each administrator, or to those of one sort. False
 * when a process has already reported the event.
 */
export async function insertAlert(database: Database, alert: FoundAlert & { id: string }): Promise<boolean> {
  const only = onlyFor(alert.kind);
  // One statement, so that the process that inserts the alert also inserts its mails.
  const rows = await database.sql`
    with made as (
      insert into alerts (id, event_key, account_id, number_id, kind, incident, detail, happened_at)
      values (${alert.id}, ${alert.eventKey}, ${alert.accountId}, ${alert.numberId}, ${alert.kind}, ${alert.incident},
        ${alert.detail}, ${alert.happenedAt})
      on conflict (event_key) do nothing returning id, account_id, number_id
    ), mails as (
      insert into alert_mails (alert_id, user_id, next_try_at)
      select made.id, u.id, clock_timestamp() from made join users u on u.disabled_at is null
        and (u.admin and ${only !== 'members'} or ${only !== 'administrators'} and exists (select from memberships m where m.account_id = made.account_id and m.user_id = u.id))
    )
    -- Open pages refresh.
    select pg_notify('wirebird_number', number_id), id from made`;
  return rows.length > 0;
}

/** A mail to send, with its content. */
export interface DueMail {
  alertId: string;
  userId: string;
  email: string;
  kind: AlertKind;
  accountId: string;
  accountName: string;
  /** Whether the receiver belongs to the account. */
  member: boolean;
  /** The account's; null if it has none. */
  timeZone: string | null;
  numberId: string | null;
  numberLabel: string | null;
  phoneNumber: string | null;
  detail: string | null;
  /** Messages that wait on the number now. */
  waiting: number;
  happenedAt: Date;
  tries: number;
}

/** Mails of older alerts are not sent. */
const GIVE_UP_HOURS = 24;
/** Longer than a mail server may take to answer. After it, another process sends the mail of a process that died. */
const CLAIM_SECONDS = 120;

/** Claims the next mail that is due, so that no other process sends it. Null when there is none. */
export async function claimMail(database: Database): Promise<DueMail | null> {
  // A claim is one statement: `skip locked` in a CTE, the update, and everything that the mail says.
  const [row] = await database.sql<DueMail[]>`
    with due as (
      select m.alert_id, m.user_id from alert_mails m join alerts a on a.id = m.alert_id
        join users u on u.id = m.user_id and u.disabled_at is null
      where m.sent_at is null and m.next_try_at <= clock_timestamp()
        and a.created_at > clock_timestamp() - ${GIVE_UP_HOURS} * interval '1 hour'
      order by m.next_try_at limit 1 for update of m skip locked
    ), claimed as (
      update alert_mails m set tries = m.tries + 1, next_try_at = clock_timestamp() + ${CLAIM_SECONDS} * interval '1 second'
      from due where m.alert_id = due.alert_id and m.user_id = due.user_id
      returning m.alert_id, m.user_id, m.tries
    )
    select c.alert_id as "alertId", c.user_id as "userId", u.email, a.kind, o.id as "accountId", o.name as "accountName",
      exists (select from memberships m where m.account_id = o.id and m.user_id = u.id) as member,
      o.time_zone as "timeZone", a.number_id as "numberId", n.label as "numberLabel", n.phone_number as "phoneNumber", a.detail, a.happened_at as "happenedAt", c.tries,
      (select count(*)::int from messages w where w.number_id = a.number_id and w.status = 'queued') as waiting
    from claimed c join alerts a on a.id = c.alert_id join users u on u.id = c.user_id
      join accounts o on o.id = a.account_id left join numbers n on n.id = a.number_id`;
  return row ?? null;
}

/** Records the result of a claimed mail: sent, to be tried again in `againInSeconds`, or (null) given up. */
export async function settleMail(
  database: Database,
  params: { alertId: string; userId: string } & (
    | { sent: true }
    | { sent: false; againInSeconds: number | null }
  ),
): Promise<void> {
  const { alertId, userId } = params;
  const again = params.sent ? 0 : params.againInSeconds;
  await database.db
    .update(alertMails)
    .set({
      sentAt: params.sent ? now : null,
      nextTryAt: again === null ? sql`'infinity'` : msFromNow(again * 1000),
    })
    .where(and(eq(alertMails.alertId, alertId), eq(alertMails.userId, userId)));
}

/** Deletes alerts older than `days`. */
export async function forgetAlerts(database: Database, params: { days: number }): Promise<void> {
  await database.db.delete(alerts).where(lt(alerts.createdAt, daysAgo(params.days)));
}

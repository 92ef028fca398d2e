import type { AlertKind } from '#server/core/alert.ts';
import type { Database } from '#server/platform/db/client.ts';
import type { FoundAlert } from './alert-watch.ts';

/**
 * Raises an alert, with a mail to each of the account's people and each administrator. False when the event
 * was reported already, by whichever process.
 */
export async function insertAlert(database: Database, alert: FoundAlert & { id: string }): Promise<boolean> {
  const rows = await database.sql`
    with made as (
      insert into alerts (id, event_key, account_id, number_id, kind, incident, detail, happened_at)
      values (${alert.id}, ${alert.eventKey}, ${alert.accountId}, ${alert.numberId}, ${alert.kind}, ${alert.incident},
        ${alert.detail}, ${alert.happenedAt})
      on conflict (event_key) do nothing returning id, account_id, number_id
    ), mails as (
      insert into alert_mails (alert_id, user_id, next_try_at)
      select made.id, u.id, clock_timestamp() from made join users u on u.disabled_at is null
        -- Administrators record the payments.
        and (u.admin and ${alert.kind} <> 'plan_paid' or exists (select from memberships m where m.account_id = made.account_id and m.user_id = u.id))
    )
    -- Open dashboards look again.
    select pg_notify('wirebird_number', number_id), id from made`;
  return rows.length > 0;
}

/** A mail that is to be sent, and all that it says. */
export interface DueMail {
  alertId: string;
  userId: string;
  email: string;
  kind: AlertKind;
  accountName: string;
  /** The account's; null where it has chosen none. */
  timeZone: string | null;
  numberId: string | null;
  numberLabel: string | null;
  phoneNumber: string | null;
  detail: string | null;
  /** Messages that wait on the number while the mail is written. */
  waiting: number;
  happenedAt: Date;
  tries: number;
}

/** Mails of older alerts are given up: nobody wants to hear on Monday what was over on Friday. */
const GIVE_UP_HOURS = 24;
/** Longer than a mail server may take to answer: a process that claimed a mail and died leaves it to the others. */
const CLAIM_SECONDS = 120;

/** Claims the next mail that is due; no other process gets it meanwhile. Null when there is none. */
export async function claimMail(database: Database): Promise<DueMail | null> {
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
    select c.alert_id as "alertId", c.user_id as "userId", u.email, a.kind, o.name as "accountName", o.time_zone as "timeZone", a.number_id as "numberId",
      n.label as "numberLabel", n.phone_number as "phoneNumber", a.detail, a.happened_at as "happenedAt", c.tries,
      (select count(*)::int from messages w where w.number_id = a.number_id and w.status = 'queued') as waiting
    from claimed c join alerts a on a.id = c.alert_id join users u on u.id = c.user_id
      join accounts o on o.id = a.account_id left join numbers n on n.id = a.number_id`;
  return row ?? null;
}

/** What became of a claimed mail: sent, to be tried again in `againInSeconds`, or (null) given up. */
export async function settleMail(
  database: Database,
  params: { alertId: string; userId: string } & (
    | { sent: true }
    | { sent: false; againInSeconds: number | null }
  ),
): Promise<void> {
  const { alertId, userId } = params;
  const again = params.sent ? 0 : params.againInSeconds;
  await database.sql`
    update alert_mails set sent_at = case when ${params.sent} then clock_timestamp() end,
      next_try_at = case when ${again}::float8 is null then 'infinity'
        else clock_timestamp() + ${again}::float8 * interval '1 second' end
    where alert_id = ${alertId} and user_id = ${userId}`;
}

/** Forgets alerts older than `days`. */
export async function forgetAlerts(database: Database, params: { days: number }): Promise<void> {
  await database.sql`delete from alerts where created_at < clock_timestamp() - ${params.days} * interval '1 day'`;
}

import { and, eq, inArray, lt, type SQL, sql } from 'drizzle-orm';
import type { AlertTopic } from '#server/core/alert.ts';
import type { AlertKind } from '#server/core/alerts.ts';
import { isScheduled } from '#server/messages/queries/is-scheduled.ts';
import type { Database } from '#server/platform/db/client.ts';
import { daysAgo, msFromNow, now } from '#server/platform/db/expressions.ts';
import { alertMails, alerts } from '#server/schema/index.ts';
import { settings } from '#server/settings.ts';
import type { Counted } from './counted.ts';
import type { FoundAlert } from './found.ts';

/** The hour of an account's day at which daily mails are sent. */
const DIGEST_HOUR = 8;

/** An alert to raise, with what its kind says about it. */
export interface NewAlert extends FoundAlert {
  id: string;
  /** Its state lasts; false for an event. */
  lasts: boolean;
  /** Who gets its mail; null for everybody. */
  only: 'members' | 'administrators' | null;
  topic: AlertTopic;
  mailDelaySeconds: number;
}

/**
 * Raises alerts, each with a mail to each of its account's members and each administrator, or only to one of these
 * groups, at the time that each user chose. Returns the IDs of those whose event no process had reported yet.
 */
export async function insertAlerts(database: Database, alerts: readonly NewAlert[]): Promise<Set<string>> {
  // One statement, so that the process that inserts an alert also inserts its mails.
  const rows = await database.db.run<{ id: string }>(sql`
    with given as (
      select * from json_to_recordset(${JSON.stringify(alerts)}::json) as t (
        id text, "eventKey" text, "accountId" text, "numberId" text, kind text, incident bigint, facts jsonb, cancelled int,
        "happenedAt" timestamptz, lasts boolean, "only" text, topic text, "mailDelaySeconds" int)
    ), made as (
      insert into alerts (id, event_key, account_id, number_id, kind, incident, facts, cancelled, happened_at, ended_at, created_at)
      select id, "eventKey", "accountId", "numberId", kind, incident, facts, cancelled, "happenedAt",
        case when not lasts then "happenedAt" end, statement_timestamp()
      -- In the same order in each process, so that two of them cannot wait for each other.
      from given order by "eventKey"
      on conflict (event_key) do nothing returning id, account_id, number_id
    ), administrators as materialized (
      select id from users where admin
    ), mails as (
      insert into alert_mails (alert_id, user_id, digest, next_try_at)
      select made.id, u.id, chosen.time = 'daily', case when chosen.time = 'daily' then digest.at else clock_timestamp() + given."mailDelaySeconds" * interval '1 second' end
      from made join given on given.id = made.id join accounts o on o.id = made.account_id
        cross join lateral (select coalesce(o.time_zone, ${settings.timeZone}) as zone) z
        cross join lateral (select (date_trunc('day', (clock_timestamp() at time zone z.zone) + ${24 - DIGEST_HOUR} * interval '1 hour')
          + ${DIGEST_HOUR} * interval '1 hour') at time zone z.zone as at) digest
        -- Two ways to their users: by one condition PostgreSQL would look at each user of the installation for each alert.
        cross join lateral (
          select user_id from memberships where account_id = made.account_id and given."only" is distinct from 'administrators'
          union select id from administrators where given."only" is distinct from 'members') reader
        join users u on u.id = reader.user_id and u.disabled_at is null
        cross join lateral (select coalesce(u.mail_times ->> given.topic, 'now') as time) chosen
      where chosen.time <> 'never'
      order by u.id
    )
    -- Open pages refresh.
    select id, pg_notify('wirebird_number', number_id) from made`);
  return new Set(rows.map(({ id }) => id));
}

/** An alert to mail to one user, with its content. */
export interface DueMail extends Counted {
  alertId: string;
  userId: string;
  email: string;
  kind: AlertKind;
  accountId: string;
  accountName: string;
  /** Whether the receiver belongs to the account. */
  member: boolean;
  /** The account's time zone; null if it has none. */
  timeZone: string | null;
  numberId: string | null;
  numberLabel: string | null;
  phoneNumber: string | null;
  /** As they are stored: `parseFacts` reads them. */
  facts: unknown;
  /** Messages that wait on the number now, and those scheduled for later. */
  waiting: number;
  scheduled: number;
  /** Up to when refused requests are counted. */
  countedUntil: Date;
  /** How many numbers the account's plan includes; null without a plan. */
  numbersIncluded: number | null;
  /** For a receiver who is no member: whether a member of the account gets the mail too. */
  membersMailed: boolean;
  happenedAt: Date;
  tries: number;
  /** Part of a mail with all alerts of a day. */
  digest: boolean;
}

/** Mails of older alerts are not sent. */
const GIVE_UP_HOURS = 24;
/**
 * Longer than a mail server may take to answer. After it, another process sends the mail of a process that died.
 */
const CLAIM_SECONDS = 120;

/**
 * Claims the next mail that is due, so that no other process sends it: one alert, or all due ones of a person's
 * digest, oldest first. Empty when there is none. `counted`: what alert `a` counts.
 */
export async function claimMail(
  database: Database,
  kinds: { members: readonly AlertKind[]; administrators: readonly AlertKind[]; counted: SQL },
): Promise<DueMail[]> {
  // As in `insertAlerts`, but now: a member who was removed since gets no mail. A later version mails its own kinds.
  const mayRead = sql`(
    a.kind = any(${sql.param(kinds.members)}) and exists (select from memberships k where k.account_id = a.account_id and k.user_id = m.user_id)
    or a.kind = any(${sql.param(kinds.administrators)}) and exists (select from users r where r.id = m.user_id and r.admin))`;
  const isDue = sql`m.sent_at is null and m.next_try_at <= clock_timestamp() and ${mayRead}
    and a.created_at > clock_timestamp() - (${GIVE_UP_HOURS} + case when m.digest then 24 else 0 end) * interval '1 hour'`;
  // A claim is one statement: `skip locked` in a CTE, the update, and everything that the mail says. The lock on
  // the user keeps a second process from a part of the same digest.
  const rows = await database.db.run<DueMail & { counted: Counted }>(sql`
    with next as (
      select m.alert_id, m.user_id, m.digest from alert_mails m join alerts a on a.id = m.alert_id
        join users u on u.id = m.user_id and u.disabled_at is null
      where ${isDue}
      order by m.next_try_at limit 1 for no key update of m, u skip locked
    ), due as (
      select m.alert_id, m.user_id from next join alert_mails m on m.user_id = next.user_id
        join alerts a on a.id = m.alert_id
      where m.alert_id = next.alert_id or next.digest and m.digest and ${isDue}
    ), claimed as (
      update alert_mails m set tries = m.tries + 1, next_try_at = clock_timestamp() + ${CLAIM_SECONDS} * interval '1 second'
      from due where m.alert_id = due.alert_id and m.user_id = due.user_id
      returning m.alert_id, m.user_id, m.tries, m.digest
    )
    select c.alert_id as "alertId", c.user_id as "userId", u.email, a.kind, o.id as "accountId", o.name as "accountName",
      exists (select from memberships m where m.account_id = o.id and m.user_id = u.id) as member,
      o.time_zone as "timeZone", a.number_id as "numberId", n.label as "numberLabel", n.phone_number as "phoneNumber", a.facts, a.happened_at as "happenedAt", c.tries, c.digest,
      queue.waiting, queue.scheduled, a.cancelled, ${kinds.counted} as counted,
      coalesce(a.ended_at, clock_timestamp()) as "countedUntil",
      (select s.numbers_included from subscriptions s where s.account_id = o.id) as "numbersIncluded",
      exists (select from alert_mails o2 join memberships m on m.user_id = o2.user_id and m.account_id = a.account_id
        where o2.alert_id = a.id) as "membersMailed"
    from claimed c join alerts a on a.id = c.alert_id join users u on u.id = c.user_id
      join accounts o on o.id = a.account_id left join numbers n on n.id = a.number_id
      cross join lateral (
        select count(*) filter (where not ${isScheduled('w')})::int as waiting,
          count(*) filter (where ${isScheduled('w')})::int as scheduled
        from messages w where w.number_id = a.number_id and w.status = 'queued') queue
    order by a.happened_at, a.id`);
  return rows.map(({ counted, ...row }) => ({ ...row, ...counted }));
}

/** Records the result of a claimed mail: sent, to be tried again in `againInSeconds`, or (null) given up. */
export async function settleMail(
  database: Database,
  params: { alertIds: readonly string[]; userId: string } & (
    | { sent: true }
    | { sent: false; againInSeconds: number | null }
  ),
): Promise<void> {
  const { alertIds, userId } = params;
  const again = params.sent ? 0 : params.againInSeconds;
  await database.db
    .update(alertMails)
    .set({
      sentAt: params.sent ? now : null,
      nextTryAt: again === null ? sql`'infinity'` : msFromNow(again * 1000),
    })
    .where(and(inArray(alertMails.alertId, [...alertIds]), eq(alertMails.userId, userId)));
}

export async function forgetAlerts(database: Database, params: { days: number }): Promise<void> {
  await database.db.delete(alerts).where(lt(alerts.createdAt, daysAgo(params.days)));
}

import { type SQL, sql } from 'drizzle-orm';
import type { StoredNumberState } from '#server/core/number-state.ts';
import { isScheduled } from '#server/messages/queries/is-scheduled.ts';
import type { Database } from '#server/platform/db/client.ts';
import { LISTENER_NAME } from '#server/platform/db/listener.ts';
import { isRefusedSend } from '#server/requests/queries/is-refused.ts';
import { WORKER_SILENCE_MS } from './operator.ts';
import { restoresOfLastDay } from './restores.ts';

/** A number, and whose it is. */
export interface OwnedNumber {
  numberId: string;
  label: string;
  phoneNumber: string | null;
  accountId: string;
  accountName: string;
}

/** The state of a number that needs a person. */
export type AwayStatus = 'LOGGED_OUT' | 'CONFLICT' | 'BLOCKED';

/**
 * A message that expires or is cancelled was accepted at most so long ago, unless it was scheduled: it waits for 24
 * hours. An index serves this bound, and none serves the time of the end.
 */
const WAITED_HOURS = 25;
const DEEPEST = 8;
/** For so long after a restore its unknown messages are shown. */
const UNCLEAR_DAYS = 7;
/** This many numbers are named. */
const NAMED = 3;
/** A process that started this recently may still connect for notifications. */
const CONNECTS_SECONDS = 60;
/** The sweep of expired messages runs every few seconds. */
const OVERDUE_SECONDS = 60;

/** The state of the installation's queues. */
export async function readQueueFigures(database: Database) {
  // Each number is looked up in an index, because all its messages together are many: hence `offset 0`, and `now()`,
  // since an index serves only a bound that is fixed for the statement.
  // SQL: the figures use `union`, CTEs, intervals, and tables of PostgreSQL and pg-boss, which the builder has no
  // form for.
  const { db } = database;
  const [
    open,
    lastHour,
    [overdue],
    deepest,
    undecided,
    unclear,
    stopped,
    restored,
    refused,
    jobs,
    processes,
    [listening],
  ] = await Promise.all([
    db.run<{ status: string; count: number }>(sql`
      select status, count(*)::int as count from messages m where status = 'queued' and not ${isScheduled('m')} group by status
      union all
      select status, count(*)::int from messages where status in ('sending', 'unknown')
        and created_at > clock_timestamp() - interval '1 day' group by status`),
    db.run<{ status: string; count: number }>(sql`
      select dispatched.status, count(*)::int as count from numbers n cross join lateral (
        select m.status from messages m where m.number_id = n.id
          and m.dispatched_at is not null and m.dispatched_at > now() - interval '1 hour' offset 0) dispatched
      group by dispatched.status
      union all
      select ended.status, count(*)::int from numbers n cross join lateral (
        select m.status, m.settled_at from messages m where m.number_id = n.id and m.status in ('expired', 'cancelled')
          and m.created_at > now() - ${WAITED_HOURS}::int * interval '1 hour' offset 0) ended
      where ended.settled_at > now() - interval '1 hour'
      group by ended.status`),
    db.run<{ count: number }>(sql`
      select count(*)::int as count from messages where status = 'queued'
        and deadline_at < clock_timestamp() - ${OVERDUE_SECONDS} * interval '1 second'`),
    db.run<OwnedNumber & StoredNumberState & { held: boolean; waiting: number; oldestSeconds: number }>(sql`
      with waits as (
        select number_id, count(*)::int as waiting, min(greatest(created_at, send_at)) as oldest from messages m
        where status = 'queued' and not ${isScheduled('m')} group by number_id order by count(*) desc, number_id limit ${DEEPEST}
      )
      select n.id as "numberId", n.label, n.phone_number as "phoneNumber", a.id as "accountId", a.name as "accountName",
        n.held_at is not null and not n.held_to_decide as held, n.status, n.suspended_at is not null as suspended, w.waiting,
        extract(epoch from clock_timestamp() - w.oldest)::float8 as "oldestSeconds",
        (extract(epoch from clock_timestamp() - l.renewed_at) * 1000)::float8 as "leaseSilentMs",
        (extract(epoch from n.moving_until - clock_timestamp()) * 1000)::float8 as "moveGraceMs"
      from waits w join numbers n on n.id = w.number_id join accounts a on a.id = n.account_id
        left join leases l on l.number_id = n.id
      order by w.waiting desc, n.id`),
    messagesOf(database, sql`messages m where m.status = 'queued' and m.set_aside`),
    messagesOf(
      database,
      sql`messages m where m.status = 'unknown' and m.dismissed_at is null and m.settled_at > clock_timestamp() - ${UNCLEAR_DAYS} * interval '1 day'
        and exists (select from message_events e where e.message_id = m.id and e.detail = 'restored')`,
    ),
    messagesOf(
      database,
      sql`numbers o cross join lateral (select m.number_id, m.settled_at from messages m where m.number_id = o.id and m.status = 'cancelled'
        and m.error_code = 'stopping' and m.created_at > now() - interval '1 hour' offset 0) m`,
    ),
    restoresOfLastDay(database),
    db.run<{ code: string; count: number }>(sql`
      select refused.code, count(*)::int as count from accounts a cross join lateral (
        select q.error_code as code from requests q
        where q.account_id = a.id and q.at > now() - interval '1 hour' and ${isRefusedSend('q')} offset 0) refused
      group by refused.code order by count(*) desc, refused.code`),
    readJobs(database),
    db.run<{ kind: 'web' | 'worker'; count: number; settled: number }>(sql`
      select kind, count(*)::int as count,
        count(*) filter (where created_at < clock_timestamp() - ${CONNECTS_SECONDS} * interval '1 second')::int as settled
      from processes
      where seen_at > clock_timestamp() - ${WORKER_SILENCE_MS} * interval '1 millisecond' group by kind`),
    db.run<{ count: number }>(sql`
      select count(*)::int as count from pg_stat_activity
      where application_name = ${LISTENER_NAME} and datname = current_database()`),
  ]);
  const alive = (kind: 'web' | 'worker') => processes.find((one) => one.kind === kind)?.count ?? 0;
  return {
    /** How many messages are in one state, of those open now, or dispatched, expired or cancelled in the last hour. */
    open,
    lastHour,
    /** Waiting beyond their deadline, although the sweep should have ended them. */
    overdue: overdue?.count ?? 0,
    deepest,
    /** Messages that wait for their owner's decision, scheduled ones too. */
    undecided,
    /** Messages that a restore of the last days left unknown. Their owner must look at the phone. */
    unclear,
    /** Messages of the last hour that were cancelled because Wirebird stopped. */
    stopped,
    /** The restores and moves of the last day, the newest first. */
    restored,
    /** How many requests to send were refused in the last hour, the most frequent code first. */
    refused,
    /** pg-boss's jobs by queue and state. */
    jobs,
    /** Processes with a recent sign of life. */
    web: alive('web'),
    workers: alive('worker'),
    /** Connections that listen for notifications; each process has one. */
    listening: listening?.count ?? 0,
    /** Processes that run for long enough to listen. */
    settled: processes.reduce((sum, { settled }) => sum + settled, 0),
  };
}

export type QueueFigures = Awaited<ReturnType<typeof readQueueFigures>>;

/** The messages `m` in `rows`, which follows `from`, and the numbers that have the most. */
async function messagesOf({ db }: Database, rows: SQL) {
  const found = await db.run<OwnedNumber & { messages: number; total: number; lastAt: Date | null }>(sql`
    with waits as (
      select m.number_id, count(*)::int as messages, (sum(count(*)) over ())::int as total,
        max(max(m.settled_at)) over () as last_at
      from ${rows} group by 1 order by 2 desc, 1 limit ${NAMED}
    )
    select n.id as "numberId", n.label, n.phone_number as "phoneNumber", a.id as "accountId", a.name as "accountName",
      w.messages, w.total, w.last_at as "lastAt"
    from waits w join numbers n on n.id = w.number_id join accounts a on a.id = n.account_id
    order by w.messages desc, n.id`);
  return {
    messages: found[0]?.total ?? 0,
    /** When the last of them ended; null for messages that wait. */
    lastAt: found[0]?.lastAt ?? null,
    numbers: found.map(({ total: _, lastAt: __, ...row }) => row),
  };
}

/** Some of the numbers that send nothing until a person acts, those that are away for longest first. */
export async function numbersAway({ db }: Database): Promise<(OwnedNumber & { status: AwayStatus })[]> {
  return db.run<OwnedNumber & { status: AwayStatus }>(sql`
    select n.id as "numberId", n.label, n.phone_number as "phoneNumber", a.id as "accountId", a.name as "accountName", n.status
    from numbers n join accounts a on a.id = n.account_id
    where n.removed_at is null and n.suspended_at is null and n.status in ('LOGGED_OUT', 'CONFLICT', 'BLOCKED')
    order by n.status_since, n.id limit ${NAMED}`);
}

/** Before pg-boss's first start its tables do not exist, and there are no jobs. */
async function readJobs({ db }: Database) {
  const [there] = await db.run<{ there: boolean }>(
    sql`select to_regclass('pgboss.job') is not null as there`,
  );
  if (!there?.there) return [];
  return db.run<{ queue: 'send' | 'other'; state: string; count: number }>(sql`
    select case when name = 'send' then 'send' else 'other' end as queue, state::text as state, count(*)::int as count
    from pgboss.job group by 1, 2 order by 1, 2`);
}

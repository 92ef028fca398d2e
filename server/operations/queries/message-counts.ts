import { sql } from 'drizzle-orm';
import type { Database, Db } from '#server/platform/db/client.ts';

// The statements of this file are SQL: each reads or moves rows of several tables in one snapshot, which keeps the
// counts exact.

/** A process that writes `message_counts` holds this lock. Messages and readers need no lock. */
const LOCK = 7_270_034;
/** Counts of hours are kept for this long, and recounted for a day less. */
const HOURS_KEPT_DAYS = 4;
const DAYS_KEPT = 400;
/** An account with more messages is counted day by day, so that no statement takes long. */
const COUNTED_AT_ONCE = 300_000;

/**
 * Adds a batch of deltas to the counts, and returns how many there were. Does nothing while another process writes
 * the counts. Accounts that were not counted yet keep their deltas.
 */
export function foldDeltas(database: Database, { limit }: { limit: number }): Promise<number> {
  return database.db.transaction(async (tx) => {
    const [lock] = await tx.run<{ free: boolean }>(sql`select pg_try_advisory_xact_lock(${LOCK}) as free`);
    if (!lock?.free) return 0;
    const [row] = await tx.run<{ moved: number }>(sql`
      with moved as (
        delete from message_count_deltas where id in (
          select d.id from message_count_deltas d left join accounts a on a.id = d.account_id
          where a.id is null or a.counts_time_zone is not null order by d.id limit ${limit})
        returning *
      ), added as (
        insert into message_counts (account_id, unit, at, number_id, api_key_id, type, outcome, count)
        select m.account_id, u.unit, date_trunc(u.unit, m.created_at, a.counts_time_zone) as at, m.number_id, m.api_key_id,
          m.type, m.outcome, sum(m.amount)
        from moved m join accounts a on a.id = m.account_id cross join (values ('hour'), ('day')) u (unit)
        where u.unit = 'day' or m.created_at > now() - ${HOURS_KEPT_DAYS} * interval '1 day'
        group by 1, 2, 3, 4, 5, 6, 7 having sum(m.amount) <> 0
        on conflict on constraint message_counts_pk do update set count = message_counts.count + excluded.count
      )
      select count(*)::int as moved from moved`);
    return row?.moved ?? 0;
  });
}

export interface StaleCounts {
  accountId: string;
  /** The zone in which the account's days begin. */
  timeZone: string;
}

/** Accounts whose messages were not counted yet, or in another time zone. `timeZone`: of accounts without their own. */
export async function listStaleCounts(
  { db }: Database,
  { timeZone }: { timeZone: string },
): Promise<StaleCounts[]> {
  // Those without messages need no count: this is all of them on a new installation, and most of them later.
  await db.run(sql`
    update accounts a set counts_time_zone = coalesce(time_zone, ${timeZone}), counted_at = clock_timestamp()
    where counts_time_zone is null and not exists (select from messages m where m.account_id = a.id)
      and not exists (select from message_counts c where c.account_id = a.id)`);
  return db.run<StaleCounts>(sql`
    select id as "accountId", coalesce(time_zone, ${timeZone}) as "timeZone" from accounts
    where counts_time_zone is distinct from coalesce(time_zone, ${timeZone}) or counted_at is null order by id`);
}

/** All accounts that were counted, for the nightly comparison. */
export function listCounted({ db }: Database): Promise<StaleCounts[]> {
  return db.run<StaleCounts>(sql`
    select id as "accountId", counts_time_zone as "timeZone" from accounts
    where counts_time_zone is not null and counted_at is not null order by id`);
}

/**
 * Prepares an account's counts for another time zone: each day keeps its date, and hours are counted again. What
 * messages can still tell is corrected by {@link recount}.
 */
export async function changeZone(database: Database, { accountId, timeZone }: StaleCounts): Promise<void> {
  await database.db.transaction(async (tx) => {
    await tx.run(sql`select pg_advisory_xact_lock(${LOCK})`);
    const [account] = await tx.run<{ before: string | null }>(sql`
      select counts_time_zone as before from accounts where id = ${accountId} for no key update`);
    if (!account || account.before === timeZone) return;
    if (account.before !== null) {
      await tx.run(sql`delete from message_counts where account_id = ${accountId} and unit = 'hour'`);
      // In two steps, because zones can be a whole day apart, and a day would meet another one's row.
      await tx.run(sql`
        update message_counts set unit = 'moved', at = (at at time zone ${account.before}) at time zone ${timeZone}
        where account_id = ${accountId} and unit = 'day'`);
      await tx.run(
        sql`update message_counts set unit = 'day' where account_id = ${accountId} and unit = 'moved'`,
      );
    }
    await tx.run(
      sql`update accounts set counts_time_zone = ${timeZone}, counted_at = null where id = ${accountId}`,
    );
  });
}

export interface Slice {
  from: Date;
  until: Date;
}

/**
 * The days whose messages are all stored, in slices that are quick to count, latest first. `finished`: without the
 * current day. An hour of margin, because retention deletes messages meanwhile.
 */
export function listSlices(
  { db }: Database,
  { accountId, timeZone, finished }: StaleCounts & { finished: boolean },
): Promise<Slice[]> {
  return db.run<Slice>(sql`
    with held as (
      select greatest(now() - metadata_retention_days * interval '1 day' + interval '1 hour', messages_held_from,
          now() - ${DAYS_KEPT - 1} * interval '1 day') at time zone ${timeZone} as since,
        date_trunc('day', now() at time zone ${timeZone}) as today,
        (select count(*) from (select from messages where account_id = ${accountId} limit ${COUNTED_AT_ONCE + 1}) m) > ${COUNTED_AT_ONCE} as many
      from accounts where id = ${accountId}
    ), days as (
      select d as day, today, many, min(d) over () as first
      from held, generate_series(date_trunc('day', since - interval '1 microsecond') + interval '1 day', today, interval '1 day') d
      where not ${finished} or d < today)
    select (case when many then day else first end) at time zone ${timeZone} as from,
      case when day = today then '9999-12-31'::timestamptz else (day + interval '1 day') at time zone ${timeZone} end as until
    from days where many or day = (select max(day) from days) order by day desc`);
}

/**
 * Corrects the counts of a slice by what its messages say, and returns how many were wrong. One statement sees
 * messages, deltas and counts of the same moment, so nothing needs to stand still. Null if the zone was changed
 * meanwhile.
 */
export function recount(
  database: Database,
  { accountId, timeZone, from, until }: StaleCounts & Slice,
): Promise<number | null> {
  return database.db.transaction(async (tx) => {
    await tx.run(sql`select pg_advisory_xact_lock(${LOCK})`);
    const counted = await tx.run(sql`
      select from accounts where id = ${accountId} and counts_time_zone = ${timeZone} for key share`);
    if (counted.length === 0) return null;
    return correct(tx, { accountId, timeZone, from, until });
  });
}

async function correct(db: Db, { accountId, timeZone, from, until }: StaleCounts & Slice): Promise<number> {
  const rows = await db.run(sql`
    with recent as (
      select date_trunc('hour', now() - (${HOURS_KEPT_DAYS - 1}) * interval '1 day', ${timeZone}) as since
    ), grouped as (
      select date_trunc(case when m.created_at >= (select since from recent) then 'hour' else 'day' end, m.created_at, ${timeZone}) as at,
        m.number_id, coalesce(m.api_key_id, '') as api_key_id, m.type, m.status, count(*) as n
      from messages m
      where m.account_id = ${accountId} and m.created_at >= ${from} and m.created_at < ${until}
        and m.status not in ('queued', 'sending')
      group by 1, 2, 3, 4, 5
    ), compared as (
      select u.unit, date_trunc(u.unit, g.at, ${timeZone}) as at, g.number_id, g.api_key_id, g.type, o.outcome, g.n
      from grouped g cross join (values ('hour'), ('day')) u (unit) join (values ('sent', 'sent'), ('delivered', 'sent'), ('read', 'sent'),
        ('delivered', 'delivered'), ('read', 'delivered'), ('failed', 'failed'), ('unknown', 'unknown'), ('expired', 'expired'),
        ('cancelled', 'cancelled')) o (status, outcome) on o.status = g.status
      union all
      select u.unit, date_trunc(u.unit, d.created_at, ${timeZone}), d.number_id, d.api_key_id, d.type, d.outcome, -d.amount
      from message_count_deltas d cross join (values ('hour'), ('day')) u (unit) where d.account_id = ${accountId}
      union all
      select c.unit, c.at, c.number_id, c.api_key_id, c.type, c.outcome, -c.count
      from message_counts c where c.account_id = ${accountId}
    )
    insert into message_counts (account_id, unit, at, number_id, api_key_id, type, outcome, count)
    select ${accountId}, unit, at, number_id, api_key_id, type, outcome, sum(n)
    from compared, recent
    where at >= ${from} and at < ${until} and (unit = 'day' or at >= recent.since)
    group by unit, at, number_id, api_key_id, type, outcome having sum(n) <> 0
    on conflict on constraint message_counts_pk do update set count = message_counts.count + excluded.count
    returning 1`);
  return rows.length;
}

/** Records that an account's counts were compared with all its messages. */
export async function markCounted({ db }: Database, { accountId, timeZone }: StaleCounts): Promise<void> {
  await db.run(sql`
    update accounts set counted_at = clock_timestamp()
    where id = ${accountId} and counts_time_zone = ${timeZone}`);
}

/** Deletes a batch of counts that no page shows any more, and returns how many there were. */
export async function deleteCounts({ db }: Database, { limit }: { limit: number }): Promise<number> {
  const rows = await db.run(sql`
    delete from message_counts where ctid in (
      select c.ctid from accounts a cross join lateral (
        (select ctid from message_counts where account_id = a.id and unit = 'hour'
          and at <= now() - ${HOURS_KEPT_DAYS} * interval '1 day' limit ${limit}::int)
        union all
        (select ctid from message_counts where account_id = a.id and unit = 'day'
          and at <= now() - ${DAYS_KEPT} * interval '1 day' limit ${limit}::int)) c
      limit ${limit}::int)
    returning 1`);
  return rows.length;
}

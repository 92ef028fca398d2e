import { and, asc, eq, isNull, sql } from 'drizzle-orm';
import type { Network } from '#server/core/number-state.ts';
import type { BuildFacts } from '#server/core/page-build.ts';
import type { Database, Db } from '#server/platform/db/client.ts';
import { accounts, numbers, pageBuildFailures, pageBuilds } from '#server/schema/index.ts';
import { FACTS_OF_BUILD, TRIES_FIRST } from './page-builds.ts';

/** A build as the administrator sees it. */
export interface BuildRow extends BuildFacts {
  network: Network;
  firstSeenAt: Date;
  testedAt: Date | null;
  /** What differs, if the self-test failed. */
  failedCheck: string | null;
  /** The label or phone of the number that tries it. */
  tryingNumber: string | null;
  /** Numbers whose session runs it now. */
  numbers: number;
  /** Messages of the last 24 hours that it dispatched. */
  sent: number;
  failed: number;
  unknown: number;
  /** The 95th percentile from dispatch to acknowledgement; null if none was acknowledged. */
  ackMs: number | null;
}

function nameOf(alias: string) {
  const number = sql.identifier(alias);
  return sql<string>`coalesce(nullif(${number}.label, ''), '+' || ${number}.phone_number, ${number}.id)`;
}

/** The builds of both networks, newest first. Recipients without WhatsApp count in none of the figures. */
export async function listBuildRows(database: Database): Promise<BuildRow[]> {
  // SQL: two grouped CTEs with a percentile, which the builder has no form for.
  return database.db.run<BuildRow>(sql`
    with running as (
      select n.network, b.version, count(*)::int as numbers from number_builds b join numbers n on n.id = b.number_id
        join leases l on l.number_id = n.id
      where l.expires_at > clock_timestamp() and n.intent = 'run' group by 1, 2
    ), lately as (
      select n.network, m.page_build as version, count(*) filter (where m.status in ('sent', 'delivered', 'read'))::int as sent,
        count(*) filter (where m.status = 'failed')::int as failed, count(*) filter (where m.status = 'unknown')::int as unknown,
        percentile_cont(0.95) within group (order by extract(epoch from m.sent_at - m.dispatched_at) * 1000) as "ackMs"
      from numbers n join messages m on m.number_id = n.id
      where m.dispatched_at > clock_timestamp() - interval '24 hours' and m.page_build is not null
        and m.error_code is distinct from 'recipient_unknown' group by 1, 2
    )
    select ${FACTS_OF_BUILD}, b.network, b.first_seen_at as "firstSeenAt", b.tested_at as "testedAt",
      b.failed_check as "failedCheck", ${nameOf('t')} as "tryingNumber",
      coalesce(running.numbers, 0) as numbers, coalesce(lately.sent, 0) as sent, coalesce(lately.failed, 0) as failed,
      coalesce(lately.unknown, 0) as unknown, lately."ackMs"::float8
    from page_builds b left join running using (network, version) left join lately using (network, version)
      left join numbers t on t.id = b.trying_number_id
    order by b.network = 'sandbox', b.first_seen_at desc, b.version desc`);
}

const TRIERS_MAX = 500;

/** Numbers on which new builds can be tried first: those with a session, in the order of their names. */
export async function listTriers(db: Db) {
  const name = nameOf('numbers');
  return db
    .select({ id: numbers.id, name, network: numbers.network, accountName: accounts.name })
    .from(numbers)
    .innerJoin(accounts, eq(accounts.id, numbers.accountId))
    .where(and(isNull(numbers.removedAt), isNull(numbers.suspendedAt), eq(numbers.intent, 'run')))
    .orderBy(sql`${numbers.network} = 'sandbox'`, name, asc(numbers.id))
    .limit(TRIERS_MAX);
}

/** Deletes the result of a build's failed self-test; false when none failed. */
export async function forgetVerdict(db: Db, params: { network: Network; version: string }): Promise<boolean> {
  const { network, version, verdict } = pageBuilds;
  await db
    .delete(pageBuildFailures)
    .where(and(eq(pageBuildFailures.network, params.network), eq(pageBuildFailures.version, params.version)));
  const untested = { verdict: null, failedCheck: null, testedAt: null, testedBy: null };
  const { rowCount } = await db
    .update(pageBuilds)
    .set({ ...untested, tryingNumberId: null, tryingUntil: null })
    .where(and(eq(network, params.network), eq(version, params.version), eq(verdict, 'failed')));
  return rowCount === 1;
}

/**
 * Lets a connected number try a build, and notifies it: the one that tries builds first, or the one with the
 * fewest waiting messages. Returns its name; null when none is connected.
 */
export async function assignTry(
  db: Db,
  params: { network: Network; version: string; forMs: number },
): Promise<string | null> {
  const { network, version, forMs } = params;
  // Picked, written and notified in one statement, so that two administrators pick one number.
  const [row] = await db.run<{ name: string }>(sql`
    with picked as (
      select n.id, ${nameOf('n')} as name from numbers n join leases l on l.number_id = n.id
      where n.network = ${network} and n.removed_at is null and n.suspended_at is null and n.intent = 'run'
        and n.status = 'CONNECTED' and l.expires_at > clock_timestamp()
      order by coalesce(n.id = (select value from installation where key = ${TRIES_FIRST}), false) desc,
        (select count(*) from messages m where m.number_id = n.id and m.status = 'queued'), n.id
      limit 1
    ), begun as (
      update page_builds b set trying_number_id = picked.id, trying_until = clock_timestamp() + ${forMs} * interval '1 millisecond'
      from picked where b.network = ${network} and b.version = ${version} returning picked.id, picked.name
    ) select name, pg_notify('wirebird_number', id) from begun`);
  return row?.name ?? null;
}

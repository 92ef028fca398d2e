import { and, eq, sql } from 'drizzle-orm';
import type { Holding } from '#server/core/lease.ts';
import type { Network } from '#server/core/number-state.ts';
import {
  type BuildFacts,
  type CommsMode,
  FAILURES_COUNT,
  type FailureFacts,
} from '#server/core/page-build.ts';
import { leaseOf } from '#server/numbers/queries/leases.ts';
import type { Database, Db } from '#server/platform/db/client.ts';
import { version as wirebird } from '#server/platform/version.ts';
import { leases, pageBuilds } from '#server/schema/index.ts';

// Most statements of this file are SQL: they run on the worker's own transaction, which locks the build's row
// while it is judged, and share conditions with other raw statements.

/**
 * A fact of the installation: the number on which new builds are tried first. Without it: the first that starts.
 */
export const TRIES_FIRST = 'try_builds_on';

/** Documents are kept of this many proven builds, and of this many unproven ones. */
const GOOD_KEPT = 3;
const UNPROVEN_KEPT = 2;
/** Builds without a document are deleted beyond this many on a network. */
const BUILDS_MAX = 50;

/** The number for which a worker asks about builds. */
export interface BuildScope {
  network: Network;
  holding: Holding;
}

/** A failed self-test counts only for the version of Wirebird that ran it. */
export const VERDICT_NOW = sql`case when b.verdict = 'failed' and b.tested_by is distinct from ${wirebird} then null else b.verdict end`;

/** The facts of a build `b`. */
export const FACTS_OF_BUILD = sql`
  b.version, ${VERDICT_NOW} as verdict, b.proven_at is not null as proven, b.document is not null as kept,
  b.unserved_at is null as served, b.trying_number_id as "tryingNumberId",
  coalesce(extract(epoch from b.trying_until - clock_timestamp()) * 1000, 0)::float8 as "tryingLeftMs",
  (extract(epoch from clock_timestamp() - b.last_seen_at) * 1000)::float8 as "seenMsAgo"`;

/** Whether a build `g` is one that numbers can go back to. */
export const IS_KEPT_GOOD = sql<boolean>`(g.verdict = 'passed' and g.proven_at is not null and g.unserved_at is null and g.document is not null)`;

/** The builds of a network, newest first. */
export async function listBuilds(db: Db, params: { network: Network }): Promise<BuildFacts[]> {
  return db.run<BuildFacts>(sql`
    select ${FACTS_OF_BUILD} from page_builds b where b.network = ${params.network} order by b.first_seen_at desc, b.version desc`);
}

/**
 * Records that the site serves a build, and locks its row until the transaction ends: another number that sees it
 * at the same moment waits for the decision. False when the lease is lost.
 */
export async function lockSeenBuild(
  db: Db,
  { network, holding }: BuildScope,
  { version }: { version: string },
): Promise<boolean> {
  const { numberId, workerId, fence } = holding;
  const rows = await db.run(sql`
    insert into page_builds (network, version, first_seen_at, last_seen_at)
    select ${network}, ${version}, clock_timestamp(), clock_timestamp() from leases
    where number_id = ${numberId} and worker_id = ${workerId} and fence = ${fence}
    on conflict (network, version) do update set last_seen_at = excluded.last_seen_at, unserved_at = null
    returning version`);
  return rows.length > 0;
}

/**
 * The number on which new builds are tried first, while a worker runs it; null when none was chosen or it does not
 * run.
 */
export async function findTrier(db: Db, params: { network: Network }): Promise<string | null> {
  const [row] = await db.run<{ id: string }>(sql`
    select n.id from installation i join numbers n on n.id = i.value join leases l on l.number_id = n.id
    where i.key = ${TRIES_FIRST} and n.network = ${params.network} and n.removed_at is null and n.intent = 'run'
      and n.suspended_at is null and l.expires_at > clock_timestamp()`);
  return row?.id ?? null;
}

/** Lets a number try a build while the others wait for it. Notifies the number, in case it runs another build. */
export async function beginTry(
  db: Db,
  params: { network: Network; version: string; numberId: string; forMs: number },
): Promise<void> {
  const { network, version, numberId, forMs } = params;
  await db.run(sql`
    with begun as (
      update page_builds set trying_number_id = ${numberId}, trying_until = clock_timestamp() + ${forMs} * interval '1 millisecond'
      where network = ${network} and version = ${version} returning trying_number_id
    ) select pg_notify('wirebird_number', trying_number_id) from begun`);
}

/** Which build a number's session runs, under the fence. */
export async function writeNumberBuild(
  db: Db,
  { numberId, workerId, fence }: Holding,
  { version, kept }: { version: string; kept: boolean },
): Promise<void> {
  await db.run(sql`
    insert into number_builds (number_id, version, kept, since)
    select number_id, ${version}, ${kept}, clock_timestamp() from leases
    where number_id = ${numberId} and worker_id = ${workerId} and fence = ${fence}
    on conflict (number_id) do update set version = excluded.version, kept = excluded.kept, since = excluded.since`);
}

/** A stored document; null when there is none. */
export async function readDocument(
  database: Database,
  params: { network: Network; version: string },
): Promise<Buffer | null> {
  const [row] = await database.db
    .select({ document: pageBuilds.document })
    .from(pageBuilds)
    .where(and(eq(pageBuilds.network, params.network), eq(pageBuilds.version, params.version)));
  return row?.document ?? null;
}

/** Stores a build's document if there is none, and deletes those of older builds except `pinned`. */
export async function keepDocument(
  database: Database,
  params: { network: Network; version: string; document: Buffer; pinned: string },
): Promise<void> {
  const { network, version, document, pinned } = params;
  await database.db.transaction(async (tx) => {
    await tx.run(sql`
      update page_builds set document = ${document} where network = ${network} and version = ${version} and document is null`);
    await tx.run(sql`
      with ranked as (
        select b.version, row_number() over (
            partition by b.proven_at is not null order by b.first_seen_at desc, b.version desc) as place,
          b.proven_at is not null as proven
        from page_builds b where b.network = ${network} and b.document is not null and b.unserved_at is null
          and ${VERDICT_NOW} is distinct from 'failed'
      )
      update page_builds p set document = null
      where p.network = ${network} and p.document is not null and p.version <> ${pinned} and not exists (
        select from ranked r where r.version = p.version and r.place <= case when r.proven then ${GOOD_KEPT}::int else ${UNPROVEN_KEPT}::int end)`);
    await tx.run(sql`
      delete from page_builds where network = ${network} and document is null and version in (
        select version from page_builds where network = ${network} order by last_seen_at desc offset ${BUILDS_MAX})`);
  });
}

/**
 * Records that a number's page failed its self-test, under the fence, and returns what is known of the build then; null
 * when the lease is lost or the build is unknown. `times`: it has failed this often since it was last recorded.
 */
export async function writeFailure(
  db: Db,
  { network, holding }: BuildScope,
  { version, times }: { version: string; times: number },
): Promise<FailureFacts | null> {
  const { numberId, workerId, fence } = holding;
  const [row] = await db.run<{ failures: number }>(sql`
    insert into page_build_failures as f (network, version, number_id, failures, tested_by, failed_at)
    select b.network, b.version, l.number_id, ${times}, ${wirebird}, clock_timestamp() from page_builds b, leases l
    where b.network = ${network} and b.version = ${version}
      and l.number_id = ${numberId} and l.worker_id = ${workerId} and l.fence = ${fence}
    on conflict (network, version, number_id) do update set failed_at = excluded.failed_at, tested_by = excluded.tested_by,
      failures = excluded.failures + case when f.tested_by = excluded.tested_by then f.failures else 0 end
    returning failures`);
  if (!row) return null;
  const [known] = await db.run<Omit<FailureFacts, 'failures'>>(sql`
    with failed as (
      select f.number_id from page_build_failures f
      where f.network = ${network} and f.version = ${version} and f.tested_by = ${wirebird}
        and f.failures >= ${FAILURES_COUNT} and f.number_id <> ${numberId}
    ), others as (
      select n.id, n.status, r.version from numbers n join leases l on l.number_id = n.id
        left join number_builds r on r.number_id = n.id
      where n.network = ${network} and n.id <> ${numberId} and n.intent = 'run' and n.removed_at is null and n.suspended_at is null
        and l.expires_at > clock_timestamp() and n.id not in (select number_id from failed)
    )
    select b.proven_at is not null as proven, exists (select from failed) as "failedElsewhere",
      exists (select from others where status = 'CONNECTED' and version = b.version) as "worksElsewhere", (
        select id from others order by coalesce(id = (select value from installation where key = ${TRIES_FIRST}), false) desc, status = 'CONNECTED' desc,
          id limit 1) as other
    from page_builds b where b.network = ${network} and b.version = ${version}`);
  return known ? { failures: row.failures, ...known } : null;
}

/** The builds whose self-test failed on this number within `withinMs`, so that it leaves them for another one. */
export async function listUnfit(
  db: Db,
  { network, numberId, withinMs }: { network: Network; numberId: string; withinMs: number },
): Promise<string[]> {
  const rows = await db.run<{ version: string }>(sql`
    select version from page_build_failures where network = ${network} and number_id = ${numberId} and tested_by = ${wirebird}
      and failures >= ${FAILURES_COUNT} and failed_at > clock_timestamp() - ${withinMs} * interval '1 millisecond'`);
  return rows.map(({ version }) => version);
}

/**
 * Writes the result of a build's self-test, under the fence. If it passed, the number tries the build until it has
 * sent. False when the build is unknown.
 */
export async function writeVerdict(
  db: Db,
  { network, holding }: BuildScope,
  {
    version,
    failed,
    comms,
    sendMs,
  }: { version: string; failed: string | null; comms: CommsMode | null; sendMs: number },
): Promise<boolean> {
  const { numberId, workerId, fence } = holding;
  const rows = await db.run(sql`
    with passed as (
      delete from page_build_failures f using leases l where ${failed}::text is null
        and l.number_id = ${numberId} and l.worker_id = ${workerId} and l.fence = ${fence}
        and f.network = ${network} and f.version = ${version} and f.number_id = l.number_id
    )
    update page_builds b set verdict = case when ${failed}::text is null then 'passed' else 'failed' end, failed_check = ${failed},
      tested_at = clock_timestamp(), tested_by = ${wirebird}, comms = coalesce(${comms}, b.comms),
      proven_at = case when ${failed}::text is null then b.proven_at end,
      trying_until = case when ${failed}::text is null and b.proven_at is null and b.trying_number_id = ${numberId}
        then clock_timestamp() + ${sendMs} * interval '1 millisecond' when ${failed}::text is null then b.trying_until end
    from leases l
    where l.number_id = ${numberId} and l.worker_id = ${workerId} and l.fence = ${fence}
      and b.network = ${network} and b.version = ${version}
    returning b.version`);
  return rows.length > 0;
}

/**
 * Records that WhatsApp acknowledged a message: if this build dispatched it and has passed its self-test, the
 * build is proven. Returns whether it is proven.
 */
export async function proveBuild(
  database: Database,
  { network, holding }: BuildScope,
  { version, waMessageId }: { version: string; waMessageId: string },
): Promise<boolean> {
  const { numberId, workerId, fence } = holding;
  const rows = await database.db.run(sql`
    update page_builds b set proven_at = coalesce(b.proven_at, clock_timestamp()), trying_number_id = null, trying_until = null
    from messages m join leases l on l.number_id = m.number_id
    where b.network = ${network} and b.version = ${version} and b.verdict = 'passed' and m.number_id = ${numberId}
      and m.wa_message_id = ${waMessageId} and m.page_build = b.version and l.worker_id = ${workerId} and l.fence = ${fence}
    returning b.version`);
  return rows.length > 0;
}

/** Records that WhatsApp no longer serves what a kept build needs, or refuses the build as too old. */
export async function markUnserved(
  database: Database,
  { network, holding }: BuildScope,
  { version }: { version: string },
): Promise<void> {
  await database.db
    .update(pageBuilds)
    .set({ unservedAt: sql`coalesce(${pageBuilds.unservedAt}, clock_timestamp())` })
    .from(leases)
    .where(and(eq(pageBuilds.network, network), eq(pageBuilds.version, version), leaseOf(holding)));
}

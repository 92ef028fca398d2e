import { sql } from 'drizzle-orm';
import type { KindFacts } from '#server/core/build-kinds.ts';
import { KIND_RETRY_MS, KIND_TRY_MS } from '#server/core/build-kinds.ts';
import type { FailingKinds } from '#server/core/failing-kinds.ts';
import type { MessageType } from '#server/core/message.ts';
import type { Network } from '#server/core/number-state.ts';
import { isScheduled } from '#server/messages/queries/is-scheduled.ts';
import type { Db } from '#server/platform/db/client.ts';
import { version as wirebird } from '#server/platform/version.ts';
import type { BuildScope } from './page-builds.ts';

// The statements of this file are SQL: they write under the fence, and share conditions with the admission.

/** The facts of a kind `k`, and which of them count. */
const FACTS_OF_KIND = sql`
  k.kind, k.proven_at is not null as proven, k.failed_check as "failedCheck",
  (extract(epoch from clock_timestamp() - k.tested_at) * 1000)::float8 as "testedMsAgo"`;
const COUNTS = sql`(k.tested_by = ${wirebird} or k.proven_at is not null)`;

/** What is known of each kind on a build, from this version of Wirebird. What has sent counts from any. */
export async function listKinds(
  db: Db,
  { network, version }: { network: Network; version: string },
): Promise<KindFacts[]> {
  return db.run<KindFacts>(sql`
    select ${FACTS_OF_KIND} from page_build_kinds k
    where k.network = ${network} and k.version = ${version} and ${COUNTS}`);
}

/** The same of all builds. */
export async function listAllKinds(db: Db): Promise<(KindFacts & { network: Network; version: string })[]> {
  return db.run<KindFacts & { network: Network; version: string }>(sql`
    select k.network, k.version, ${FACTS_OF_KIND} from page_build_kinds k where ${COUNTS}`);
}

/** The same of the build that a number runs, or ran last. */
export async function listKindsOfNumber(
  db: Db,
  { numberId }: { numberId: string },
): Promise<(KindFacts & { version: string })[]> {
  return db.run<KindFacts & { version: string }>(sql`
    select k.version, ${FACTS_OF_KIND} from numbers n join number_builds r on r.number_id = n.id
      join page_build_kinds k on k.network = n.network and k.version = r.version
    where n.id = ${numberId} and ${COUNTS}`);
}

/**
 * Writes what a test of these kinds found, or how a message of one ended. A proven kind keeps its proof: one session never
 * outweighs it.
 */
export async function writeKinds(
  db: Db,
  { network, holding }: BuildScope,
  { version, found }: { version: string; found: { kind: MessageType; failedCheck: string | null }[] },
): Promise<void> {
  const { numberId, workerId, fence } = holding;
  await db.run(sql`
    with lease as (
      select 1 from leases where number_id = ${numberId} and worker_id = ${workerId} and fence = ${fence}
    ), seen as (
      insert into page_builds (network, version, first_seen_at, last_seen_at)
      select ${network}, ${version}, clock_timestamp(), clock_timestamp() from lease on conflict do nothing
    )
    insert into page_build_kinds as k (network, version, kind, tested_at, tested_by, failed_check)
    select ${network}, ${version}, f.kind, clock_timestamp(), ${wirebird}, f."failedCheck"
    from json_to_recordset(${JSON.stringify(found)}::json) as f (kind text, "failedCheck" text), lease
    where true
    on conflict (network, version, kind) do update set tested_at = excluded.tested_at, tested_by = excluded.tested_by,
      failed_check = excluded.failed_check, trying_number_id = null, trying_until = null
    where k.proven_at is null`);
}

/**
 * Takes the turn of each kind that passed its test and is not proven, for a number that has a message of it: until then at
 * most one message of a kind is under way on a build in the installation. Returns the kinds whose turn the number has.
 */
export async function takeTurns(
  db: Db,
  { network, holding }: BuildScope,
  { version }: { version: string },
): Promise<MessageType[]> {
  const { numberId, workerId, fence } = holding;
  const rows = await db.run<{ kind: MessageType }>(sql`
    update page_build_kinds k set trying_number_id = l.number_id,
      trying_until = case when k.trying_number_id = l.number_id and k.trying_until > clock_timestamp() then k.trying_until
        else clock_timestamp() + ${KIND_TRY_MS} * interval '1 millisecond' end
    from leases l where l.number_id = ${numberId} and l.worker_id = ${workerId} and l.fence = ${fence}
      and k.network = ${network} and k.version = ${version} and k.proven_at is null and k.failed_check is null and k.tested_by = ${wirebird}
      and (k.trying_until is null or k.trying_until < clock_timestamp() or k.trying_number_id = l.number_id)
      and exists (select from messages m where m.number_id = l.number_id and m.status = 'queued' and m.type = k.kind
        and not m.set_aside and m.media_status in ('none', 'ready') and not ${isScheduled('m')})
    returning k.kind`);
  return rows.map(({ kind }) => kind);
}

/** Gives a number's turn of a kind to the others: its message has an outcome. */
export async function endTurn(
  db: Db,
  { network, holding }: BuildScope,
  { version, kind }: { version: string; kind: MessageType },
): Promise<void> {
  await db.run(sql`
    update page_build_kinds set trying_number_id = null, trying_until = null
    where network = ${network} and version = ${version} and kind = ${kind} and trying_number_id = ${holding.numberId}`);
}

/** How many messages of this kind were handed to this build and have no answer, besides one that is being written. */
export async function countUnknown(
  db: Db,
  {
    network,
    version,
    kind,
    except,
  }: { network: Network; version: string; kind: MessageType; except: string },
): Promise<number> {
  const [row] = await db.run<{ count: number }>(sql`
    select count(*)::int as count from messages m join numbers n on n.id = m.number_id
    where m.status = 'unknown' and m.page_build = ${version} and m.type = ${kind} and n.network = ${network}
      and m.wa_message_id <> ${except}`);
  return row?.count ?? 0;
}

/** Records that WhatsApp acknowledged a message of this kind that this build sent. */
export async function proveKind(
  db: Db,
  { network, holding }: BuildScope,
  { version, waMessageId }: { version: string; waMessageId: string },
): Promise<void> {
  const { numberId, workerId, fence } = holding;
  await db.run(sql`
    update page_build_kinds k set proven_at = coalesce(k.proven_at, clock_timestamp()), failed_check = null,
      trying_number_id = null, trying_until = null
    from messages m join leases l on l.number_id = m.number_id
    where m.number_id = ${numberId} and m.wa_message_id = ${waMessageId} and m.page_build = k.version and m.type = k.kind
      and k.network = ${network} and k.version = ${version} and l.worker_id = ${workerId} and l.fence = ${fence}`);
}

/** The kind `k` failed on its build, by this version of Wirebird. */
const HAS_FAILED = sql`k.proven_at is null and k.failed_check is not null and k.tested_by = ${wirebird}`;
/** It is refused until it is tested again. */
const IS_REFUSED = sql`(${HAS_FAILED} and k.tested_at > clock_timestamp() - ${KIND_RETRY_MS} * interval '1 millisecond')`;
/** It failed on a build that a number runs. */
export const FAILS_IN_USE = sql<boolean>`(${HAS_FAILED} and exists (
  select from number_builds r join numbers n on n.id = r.number_id
  where n.network = k.network and r.version = k.version and n.intent = 'run' and n.removed_at is null and n.suspended_at is null))`;

/** The build of the number `n` on which this kind of message fails; null if it can be sent. */
export const failingBuild = (kind: MessageType) => sql<string | null>`(
  select k.version from number_builds r join page_build_kinds k on k.network = n.network and k.version = r.version
  where r.number_id = n.id and k.kind = ${kind} and ${IS_REFUSED})`;

/** The kinds that fail on the build of a row of `numbers`, as JSON; null if none fails. */
export const FAILING_KINDS = sql<FailingKinds | null>`(
  select jsonb_build_object('build', k.version, 'kinds', jsonb_agg(k.kind)) from number_builds r
    join page_build_kinds k on k.network = numbers.network and k.version = r.version
  where r.number_id = numbers.id and ${IS_REFUSED} group by k.version)`;

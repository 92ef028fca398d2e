import { and, eq, isNull, ne, sql } from 'drizzle-orm';
import type { Group } from '#server/core/engine.ts';
import type { Holding } from '#server/core/lease.ts';
import type { Cause } from '#server/core/number/cause.ts';
import type { LinkWrite } from '#server/core/number/machine.ts';
import type { SessionRow } from '#server/core/number/session-row.ts';
import {
  type Network,
  type NumberIntent,
  type NumberStatus,
  PAIRING_CODE_MS,
} from '#server/core/number-state.ts';
import { personOf } from '#server/core/recipient.ts';
import { VERDICT_NOW } from '#server/operations/queries/page-builds.ts';
import { sessionStop } from '#server/plans/queries/session-stops.ts';
import type { Database } from '#server/platform/db/client.ts';
import { now } from '#server/platform/db/expressions.ts';
import { leases, numberGroups, numberLinks, numbers } from '#server/schema/index.ts';
import { leaseIsHeld, leaseOf } from './leases.ts';
import { SEEN_UNTIL } from './linking-codes.ts';
import { sealLinking } from './linking-seal.ts';
import { sealPasskey } from './passkeys.ts';

export async function findSession(
  database: Database,
  params: { numberId: string },
): Promise<SessionRow | null> {
  // SQL, because it shares the conditions on stops and builds with other statements.
  const [row] = await database.db.run<SessionRow>(sql`
    select id as "numberId", account_id as "accountId", network, status, intent, intent_revision as "intentRevision",
      label, phone_number as "phoneNumber", pairing_phone as "pairingPhone", replacement_phone as "replacementPhone",
      exists (select from number_groups g where g.number_id = n.id and g.answered_at is null) as "groupsAsked",
      exists (select from number_checks t where t.number_id = n.id and t.answered_at is null) as "pageCheckAsked",
      exists (select from recipient_checks c where c.number_id = n.id and c.settled_at is null) as "checksAsked",
      exists (select from number_links l where l.number_id = n.id and l.passkey_reply is not null) as "passkeyReplied", removed_at is not null as removed,
      send_interval_seconds as "sendIntervalSeconds", protected,
      (extract(epoch from link_until - clock_timestamp()) * 1000)::float8 as "linkLeftMs",
      (extract(epoch from ${SEEN_UNTIL} - clock_timestamp()) * 1000)::float8 as "unseenLeftMs",
      (extract(epoch from moving_until - clock_timestamp()) * 1000)::float8 as "moveLeftMs",
      (extract(epoch from blocked_until - clock_timestamp()) * 1000)::float8 as "blockedLeftMs", ${sessionStop()} as "sessionStop",
      (select jsonb_build_object('version', b.version, 'wish', b.version || ' ' || b.trying_until) from page_builds b
        where b.network = n.network and b.trying_number_id = n.id and b.trying_until > clock_timestamp()
          and ${VERDICT_NOW} is null order by b.trying_until desc limit 1) as "buildToTry"
    from numbers n where id = ${params.numberId}`);
  return row ?? null;
}

/**
 * Writes a number's state and its history, under the fence. The same state with the same cause changes nothing.
 * False when the lease is lost. `blockedUntilMs`: WhatsApp accepts it again from then on (ms since the epoch).
 */
export async function writeStatus(
  database: Database,
  holding: Holding,
  params: { status: NumberStatus; cause: Cause | null; blockedUntilMs?: number | null },
): Promise<boolean> {
  const { numberId, workerId, fence } = holding;
  const { status, blockedUntilMs } = params;
  const cause = params.cause && JSON.stringify(params.cause);
  const blockedUntil = blockedUntilMs == null ? null : new Date(blockedUntilMs).toISOString();
  // One statement, so that a state never changes without its entry in the history.
  const rows = await database.db.run<{ ours: boolean }>(sql`
    with lease as (
      select number_id from leases where number_id = ${numberId} and worker_id = ${workerId} and fence = ${fence}
    ), moved as (
      update numbers n set moving_until = null from lease
      where n.id = lease.number_id and n.moving_until is not null and n.status = ${status} and n.cause is not distinct from ${cause}::jsonb
    ), changed as (
      update numbers n set status = ${status}, cause = ${cause}::jsonb, blocked_until = ${blockedUntil}, moving_until = null,
        status_since = case when n.status = ${status} then n.status_since else clock_timestamp() end
      from lease where n.id = lease.number_id and (n.status <> ${status} or n.cause is distinct from ${cause}::jsonb)
      returning n.id
    ), noted as (
      insert into number_events (number_id, status, cause) select id, ${status}, ${cause}::jsonb from changed
    )
    select exists (select from lease) as ours`);
  return rows[0]?.ours ?? false;
}

/**
 * Records that a number is linked and ready: its phone is known, and its session is kept alive. Async messages
 * that waited while it was linked again are set aside until its owner decides whether to send them.
 */
export async function writeLinked(
  database: Database,
  holding: Holding,
  params: { phone: string },
): Promise<void> {
  const { numberId, workerId, fence } = holding;
  await database.db.transaction(async (tx) => {
    // Locked first, as for every change of its messages.
    await tx.run(sql`select 1 from numbers where id = ${numberId} for no key update`);
    // One statement, so that no message is claimed between the new phone and the setting aside.
    await tx.run(sql`
      with linked as (
        select n.id, n.intent = 'link' as again from numbers n join leases l on l.number_id = n.id
        where n.id = ${numberId} and l.worker_id = ${workerId} and l.fence = ${fence}
      ), waited as (
        update messages m set set_aside = true from linked
        where linked.again and m.number_id = linked.id and m.status = 'queued' and m.lane = 'async' returning m.id
      ), myself as (
        insert into recipients (number_id, recipient, known_at) select id, ${personOf(params.phone)}, clock_timestamp() from linked
        on conflict (number_id, recipient) do update set known_at = excluded.known_at
      ), question as (select exists (select from waited) as asked)
      update numbers n set phone_number = ${params.phone}, first_linked_at = coalesce(n.first_linked_at, clock_timestamp()),
        linked_at = case when n.phone_number is distinct from ${params.phone} then clock_timestamp() else coalesce(n.linked_at, clock_timestamp()) end,
        held_to_decide = n.held_to_decide or (question.asked and n.held_at is null),
        held_at = case when question.asked and (n.held_at is null or n.held_to_decide) then clock_timestamp() else n.held_at end,
        replacement_phone = null,
        intent = case when n.intent = 'link' then 'run' else n.intent end, link_until = null, pairing_phone = null
      from linked, question where n.id = linked.id`);
  });
  await forgetLink(database, holding);
}

/** Deletes what the linking page shows. */
export async function forgetLink({ db }: Database, holding: Holding): Promise<void> {
  await db
    .delete(numberLinks)
    .where(and(eq(numberLinks.numberId, holding.numberId), leaseIsHeld(db, holding)));
}

/** Ends an intent that was carried out or given up, unless the owner has a newer one. */
export async function settleIntent(
  database: Database,
  holding: Holding,
  params: { intent: NumberIntent; revision: number },
): Promise<void> {
  const { intent, revision } = params;
  await database.db
    .update(numbers)
    .set({ intent, linkUntil: null, pairingPhone: null })
    .from(leases)
    .where(and(eq(numbers.id, leases.numberId), leaseOf(holding), eq(numbers.intentRevision, revision)));
  await forgetLink(database, holding);
}

/** Is this phone live on another number of the installation? */
export async function isLiveElsewhere(
  database: Database,
  params: { numberId: string; network: Network; phone: string },
): Promise<boolean> {
  const rows = await database.db
    .select({ id: numbers.id })
    .from(numbers)
    .where(
      and(
        eq(numbers.network, params.network),
        eq(numbers.phoneNumber, params.phone),
        ne(numbers.id, params.numberId),
        isNull(numbers.removedAt),
        // Written out as in the index of live phones, so that every plan may use it.
        sql`${numbers.status} in ('CONNECTED', 'RECONNECTING', 'CONFLICT', 'BLOCKED')`,
      ),
    );
  return rows.length > 0;
}

/** The first code of a linking is shown: from now on somebody has to look. */
export async function writeFirstCode(database: Database, holding: Holding): Promise<void> {
  const { numberId, workerId, fence } = holding;
  // SQL, because only the worker that holds the lease may do it.
  await database.db.run(sql`
    update numbers n set link_seen_at = clock_timestamp() from leases l
    where n.id = ${numberId} and n.intent = 'link' and n.link_seen_at is not null
      and l.number_id = n.id and l.worker_id = ${workerId} and l.fence = ${fence}`);
}

/** Stores what the linking page shows, sealed. */
export async function writeLink(database: Database, holding: Holding, link: LinkWrite): Promise<void> {
  const { numberId, workerId, fence } = holding;
  const sealed = (text: string | null | undefined) => (text == null ? null : sealLinking(numberId, text));
  const qrExpiresAt = link.qrExpiresAtMs == null ? null : new Date(link.qrExpiresAtMs).toISOString();
  const pairingExpiresAt =
    link.pairingCode == null
      ? null
      : sql`clock_timestamp() + ${PAIRING_CODE_MS}::float8 * interval '1 millisecond'`;
  const passkey = link.passkey == null ? null : sealPasskey(numberId, link.passkey);
  // The builder's insert from a select would have to name every column, and names no excluded row.
  await database.db.run(sql`
    insert into number_links as l
      (number_id, qr, qr_expires_at, pairing_code, pairing_expires_at, sync_percent, passkey, updated_at)
    select ${numberId}, ${sealed(link.qr)}, ${qrExpiresAt}, ${sealed(link.pairingCode)}, ${pairingExpiresAt},
      ${link.syncPercent ?? null}, ${passkey}, clock_timestamp()
    from leases where number_id = ${numberId} and worker_id = ${workerId} and fence = ${fence}
    on conflict (number_id) do update set
      qr = case when ${link.qr !== undefined} then excluded.qr else l.qr end,
      qr_expires_at = case when ${link.qr !== undefined} then excluded.qr_expires_at else l.qr_expires_at end,
      pairing_code = case when ${link.pairingCode !== undefined} then excluded.pairing_code else l.pairing_code end,
      pairing_expires_at = case when ${link.pairingCode !== undefined} then excluded.pairing_expires_at
        else l.pairing_expires_at end,
      sync_percent = case when ${link.syncPercent !== undefined} then excluded.sync_percent else l.sync_percent end,
      passkey = case when ${link.passkey !== undefined} then excluded.passkey else l.passkey end,
      passkey_reply = case when ${link.passkey !== undefined} then null else l.passkey_reply end,
      passkey_replied_at = case when ${link.passkey !== undefined} then null else l.passkey_replied_at end,
      updated_at = excluded.updated_at`);
}

/** Deletes the groups of a phone that is no longer linked. */
export async function forgetGroups({ db }: Database, holding: Holding): Promise<void> {
  await db
    .delete(numberGroups)
    .where(and(eq(numberGroups.numberId, holding.numberId), leaseIsHeld(db, holding)));
}

/** Stores a worker's answer, under its fence. A failed request keeps the earlier groups. */
export async function writeGroups(
  database: Database,
  holding: Holding,
  answer: { groups: Group[] } | { error: string },
): Promise<void> {
  await database.db
    .update(numberGroups)
    .set({ answeredAt: now, error: null, ...answer })
    .from(leases)
    .where(and(eq(numberGroups.numberId, leases.numberId), leaseOf(holding)));
}

import { sql } from 'drizzle-orm';
import { because, storedOutcome } from '#server/core/message-outcome.ts';
import type { MessageStatus } from '#server/core/message-state.ts';
import type { Cause } from '#server/core/number/cause.ts';
import { isScheduled } from '#server/messages/queries/is-scheduled.ts';
import type { Db, Tx } from '#server/platform/db/client.ts';

/**
 * The statements of this file are SQL: they read tables by the catalog, whatever columns they have, and put all
 * rows of the installation into a safe state after a restore.
 */

/**
 * Not backed up: data that is rebuilt or must not come back, such as signs of life, limits, linking codes and
 * sign-ins.
 */
const REBUILT = [
  'processes',
  'rate_buckets',
  'attempts',
  'known_places',
  'number_links',
  'number_builds',
  'look_ups',
  'search_blocks',
  'sign_ins',
  'reset_links',
  'sign_ups',
];
/** Not backed up: a stored session must not come back, and can have more bytes than PostgreSQL writes as JSON. */
const LEFT_OUT: Readonly<Record<string, readonly string[]>> = { profiles: ['snapshot'] };
const ROWS_AT_ONCE = 500;

const nameOf = (table: string) => sql`public.${sql.identifier(table)}`;
const listOf = (columns: string[]) => sql.join(columns.map(sql.identifier), sql`, `);

export interface BackedUpTable {
  name: string;
  columns: string[];
}

/** The tables that a backup holds, those that others refer to first. */
export async function tablesToBackUp(db: Db): Promise<BackedUpTable[]> {
  const tables = await db.run<{ name: string; columns: string[]; refers: string[] }>(sql`
    select c.relname as name,
      array(select a.attname::text from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped order by a.attnum) as columns,
      array(select distinct f.confrelid::regclass::text from pg_constraint f where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid) as refers
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and not c.relname = any(${sql.param(REBUILT)}) order by 1`);
  const left = new Map(tables.map((table) => [table.name, table]));
  const ordered: BackedUpTable[] = [];
  while (left.size > 0) {
    const next = [...left.values()].find(({ refers }) => !refers.some((name) => left.has(name)));
    if (!next) throw new Error('tables refer to each other in a circle');
    left.delete(next.name);
    const { name, columns } = next;
    ordered.push({ name, columns: columns.filter((column) => !LEFT_OUT[name]?.includes(column)) });
  }
  return ordered;
}

/** When the newest migration was made, in ms: which version of the schema this is. */
export async function schemaVersion(db: Db): Promise<number> {
  const [row] = await db.run<{ at: string }>(
    sql`select max(created_at) as at from drizzle.__drizzle_migrations`,
  );
  return Number(row?.at ?? 0);
}

/** All rows of a table as JSON, in batches, within the transaction `tx`. */
export async function* readRows(tx: Tx, { name, columns }: BackedUpTable): AsyncGenerator<string[]> {
  await tx.run(
    sql`declare rows no scroll cursor for select to_jsonb(t)::text as row from (select ${listOf(columns)} from ${nameOf(name)}) t`,
  );
  for (;;) {
    const rows = await tx.run<{ row: string }>(sql`fetch ${ROWS_AT_ONCE} from rows`.inlineParams());
    if (rows.length === 0) break;
    yield rows.map(({ row }) => row);
  }
  await tx.run(sql`close rows`);
}

/** Restores rows, including generated ids. */
export async function writeRows(
  db: Db,
  { name, columns }: BackedUpTable,
  rows: readonly string[],
): Promise<void> {
  const [table, list] = [nameOf(name), listOf(columns)];
  await db.run(sql`insert into ${table} (${list}) overriding system value
      select ${list} from json_populate_recordset(null::${table}, ${`[${rows.join(',')}]`}::json)`);
}

/** Generated ids continue after the last restored one. */
export async function raiseSequences(db: Db): Promise<void> {
  const columns = await db.run<{ table: string; column: string }>(sql`
    select table_name as table, column_name as column from information_schema.columns
    where table_schema = 'public' and is_identity = 'YES'`);
  for (const { table, column } of columns) {
    await db.run(sql`select setval(pg_get_serial_sequence(format('public.%I', ${table}::text), ${column}),
        coalesce((select max(${sql.identifier(column)}) from ${nameOf(table)}), 0) + 1, false)`);
  }
}

/** Whether the database has no users and no accounts. */
export async function isEmpty(db: Db): Promise<boolean> {
  const rows = await db.run(sql`select 1 from users union all select 1 from accounts limit 1`);
  return rows.length === 0;
}

/** Records of each number without lost messages that none is missing. */
export async function correctCauses(
  db: Db,
  { madeAt, lostOn }: { madeAt: string; lostOn: readonly string[] },
): Promise<void> {
  const given = JSON.stringify({ code: 'restored', madeAt, lost: true } satisfies Cause);
  const correct = JSON.stringify({ code: 'restored', madeAt, lost: false } satisfies Cause);
  await db.run(
    sql`update numbers set cause = ${correct}::jsonb where cause = ${given}::jsonb and id <> all(${sql.param(lostOn)}::text[])`,
  );
  await db.run(
    sql`update number_events set cause = ${correct}::jsonb where cause = ${given}::jsonb and number_id <> all(${sql.param(lostOn)}::text[])`,
  );
}

/** Why it is certain that the earlier installation no longer sends messages of the backup. */
export type Stopped =
  | 'moved' // stopped for good before the backup was made
  | 'replaced'; // its own database, which may have sent after the backup, is the one that is replaced

export async function factRestored(db: Db, key: string): Promise<string | null> {
  const [row] = await db.run<{ value: string }>(sql`select value from installation where key = ${key}`);
  return row?.value ?? null;
}

/** Replaces a restored fact, and deletes another one. */
export async function putRestored(
  db: Db,
  { key, value, without }: { key: string; value: string; without: string },
): Promise<void> {
  await db.run(sql`delete from installation where key in (${key}, ${without})`);
  await db.run(sql`insert into installation (key, value) values (${key}, ${value})`);
}

const OUTCOME = [
  'status',
  'settled_at',
  'sent_at',
  'error_code',
  'outcome',
  'wa_message_id',
  'dispatched_at',
];

/**
 * Messages that waited, were being sent or were unknown at the backup get the outcome that the replaced contents of the same
 * installation, in `schema`, have. Returns these outcomes, and which waited there until the end, so they were never sent;
 * none if that version's tables had other columns.
 */
export async function keepOutcomes(
  db: Db,
  { schema }: { schema: string },
): Promise<{ known: MessageStatus[]; neverSent: string[] }> {
  const [found] = await db.run<{ columns: number }>(sql`
    select count(*)::int as columns from information_schema.columns
    where table_schema = ${schema} and table_name = 'messages' and column_name = any(${sql.param(OUTCOME)})`);
  if (found?.columns !== OUTCOME.length) return { known: [], neverSent: [] };
  const earlier = (table: string) => sql`${sql.identifier(schema)}.${sql.identifier(table)}`;
  const written = sql.join(
    OUTCOME.map((column) => sql`${sql.identifier(column)} = o.${sql.identifier(column)}`),
    sql`, `,
  );
  // Through `sending`, as the database requires.
  await db.run(sql`
    update messages m set status = 'sending' from ${earlier('messages')} o
    where o.id = m.id and m.status = 'queued' and o.status in ('sent', 'delivered', 'read')`);
  const kept = await db.run<{ id: string; status: MessageStatus }>(sql`
    update messages m set ${written}
    from ${earlier('messages')} o
    where o.id = m.id and m.status in ('queued', 'sending', 'unknown')
      and o.status in ('sent', 'delivered', 'read', 'failed', 'expired', 'cancelled') returning m.id, m.status`);
  await db.run(sql`
    insert into message_events (message_id, event, detail, at)
    select e.message_id, e.event, e.detail, e.at from ${earlier('message_events')} e
    where e.message_id = any(${sql.param(kept.map(({ id }) => id))}) and not exists (
      select from message_events k where k.message_id = e.message_id and k.event = e.event and k.at = e.at) order by e.id`);
  const waited = await db.run<{ id: string }>(sql`
    select m.id from messages m join ${earlier('messages')} o using (id) where m.status = 'queued' and o.status = 'queued'`);
  return { known: kept.map(({ status }) => status), neverSent: waited.map(({ id }) => id) };
}

/** Deadlines are by the database's clock, the time of a backup is by that of its machine. */
const LATE_SECONDS = 60;

/**
 * Nothing restored starts automatically: no session continues, and messages that waited or were being sent are unknown,
 * as the earlier installation may have sent them. If that one stopped, scheduled ones stay scheduled until their owner
 * decides at the next link, as they were not sent; after a move, waiting ones expired. So did those that were never sent, and
 * those whose deadline had passed at the backup: nothing sends them after it.
 */
export async function settleRestored(
  db: Db,
  {
    stopped,
    madeAt,
    neverSent,
  }: {
    stopped: Stopped | null;
    madeAt: string;
    /** Messages that were certainly not sent. */
    neverSent: readonly string[];
  },
): Promise<{ expired: string[]; unknown: string[]; scheduled: number; toLink: number }> {
  const expiredAs = (say: 'moved' | 'restored' | 'async') =>
    sql`${storedOutcome(because('deadline_passed', say).outcome)}::jsonb`;
  const unknownAs = (say: 'movedSending' | 'restoredSending' | 'restoredWaiting' | 'restoredScheduled') =>
    sql`${storedOutcome(because('send_unknown', say).outcome)}::jsonb`;
  const moved = stopped === 'moved';
  const why: Cause = moved ? { code: 'moved' } : { code: 'restored', madeAt, lost: true };
  const cause = JSON.stringify(why);
  const later = isScheduled('messages');
  const keeps = stopped === null ? sql`false` : later;
  const expired = await db.run<{ id: string }>(sql`
    with ended as (
      update messages set status = 'expired', settled_at = clock_timestamp(), error_code = 'deadline_passed', idempotency_key = null,
        outcome = case when ${moved} then ${expiredAs('moved')} when id = any(${sql.param(neverSent)}) then ${expiredAs('restored')} else ${expiredAs('async')} end
      where status = 'queued' and not ${keeps}
        and (${moved} or id = any(${sql.param(neverSent)}) or deadline_at < ${madeAt}::timestamptz - ${LATE_SECONDS} * interval '1 second') returning id
    ) insert into message_events (message_id, event, detail) select id, 'expired', 'restored' from ended returning message_id as id`);
  // Through `sending`, because the database allows `unknown` only after it.
  await db.run(
    sql`update messages set outcome = ${unknownAs(moved ? 'movedSending' : 'restoredSending')} where status = 'sending'`,
  );
  await db.run(sql`
    update messages set status = 'sending', outcome = case when ${later} then ${unknownAs('restoredScheduled')} else ${unknownAs('restoredWaiting')} end
    where status = 'queued' and not ${keeps}`);
  const unknown = await db.run<{ id: string }>(sql`
    with ended as (
      update messages set status = 'unknown', settled_at = clock_timestamp(), error_code = 'send_unknown'
      where status = 'sending' returning id
    ) insert into message_events (message_id, event, detail) select id, 'unknown', 'restored' from ended returning message_id as id`);
  await db.run(sql`update leases set worker_id = null, expires_at = null, renewed_at = null`);
  const toLink = await db.run(sql`
    with ended as (
      update numbers n set intent = 'idle', link_until = null, pairing_phone = null, moving_until = null,
        status = case when n.phone_number is null or n.status = 'UNLINKED' then 'UNLINKED' else 'LOGGED_OUT' end,
        cause = ${cause}::jsonb, status_since = clock_timestamp()
      where n.intent <> 'idle' returning n.id, n.status
    ) insert into number_events (number_id, status, cause) select id, status, ${cause}::jsonb from ended returning 1`);
  await db.run(sql`
    update profiles set volume_id = null, host = null, snapshot = null, snapshot_version = null, snapshot_generation = null, snapshot_at = null`);
  const scheduled = await db.run(sql`select 1 from messages where status = 'queued'`);
  return {
    expired: expired.map(({ id }) => id),
    unknown: unknown.map(({ id }) => id),
    scheduled: scheduled.length,
    toLink: toLink.length,
  };
}

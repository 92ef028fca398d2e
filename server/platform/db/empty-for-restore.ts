import { withoutLimits } from './migrate.ts';
import type { Sql } from './sql.ts';

// The statements of this file are SQL: they rename schemas and read the catalog.

/** Everything that the product keeps in a database. */
const SCHEMAS = ['public', 'drizzle', 'pgboss'];
const SUFFIX = '_before_restore';
/** The fact that a restore has committed, and only the deletion of what it replaced is left. */
const REPLACED = 'replaced';

/** The replaced contents of a database, under other names until they are dropped or put back. */
export interface ReplacedContents {
  /** The schema that has the earlier tables, of whatever version. */
  schema: string;
  /** A fact of the earlier installation; null if it had none. */
  fact(key: string): Promise<string | null>;
  /** The rows of a statement over the earlier and the restored tables. It may take long. */
  read<Row>(text: string): Promise<Row[]>;
  /** Records in the transaction of the restore that these contents are no longer needed. */
  markReplaced(tx: Sql): Promise<void>;
  drop(): Promise<void>;
  putBack(): Promise<void>;
}

/** Held while a restore replaces the contents of a database. */
export const RESTORE_LOCK = 7_270_037;

/**
 * Runs `work` unless another restore is replacing the contents of the database; then returns null. Each of two would
 * take the other's new tables for the rest of an interrupted one.
 */
export function whileNoOtherRestores<T>(url: string, work: () => Promise<T>): Promise<T | null> {
  return withoutLimits(url, async (sql) => {
    await sql`set idle_session_timeout = 0`;
    const [lock] = await sql<{ free: boolean }[]>`select pg_try_advisory_lock(${RESTORE_LOCK}) as free`;
    return lock?.free ? work() : null;
  });
}

/**
 * Empties a database for a restore by renaming its schemas, so that nothing is lost unless the restore succeeds.
 * First puts back what an interrupted restore replaced, unless the database has users since. `refuse` gets the processes
 * seen within `silenceMs` and may throw.
 */
export async function emptyForRestore(
  url: string,
  { silenceMs, refuse }: { silenceMs: number; refuse(alive: { kind: string; host: string }[]): void },
): Promise<ReplacedContents> {
  const connected = <T>(work: (sql: Sql) => Promise<T>): Promise<T> => withoutLimits(url, work);
  await connected((sql) =>
    sql.begin(async (tx) => {
      if (await hasUsers(tx)) await dropSetAside(tx);
      else await putBack(tx);
    }),
  );
  await connected(async (sql) => {
    refuse(await aliveOn(sql, silenceMs));
    await sql.begin(async (tx) => {
      for (const name of await schemasOf(tx, SCHEMAS))
        await tx.unsafe(`alter schema ${name} rename to ${name}${SUFFIX}`);
      await tx.unsafe('create schema public');
    });
  });
  return {
    schema: `public${SUFFIX}`,
    fact: (key) =>
      connected(async (sql) => {
        const [table] = await sql`select to_regclass(${`public${SUFFIX}.installation`}) is not null as known`;
        if (!table?.known) return null;
        const [row] = await sql.unsafe<{ value: string }[]>(
          `select value from public${SUFFIX}.installation where key = $1`,
          [key],
        );
        return row?.value ?? null;
      }),
    read: <Row>(text: string) => connected(async (sql) => [...(await sql.unsafe(text))] as Row[]),
    markReplaced: async (tx) => {
      await tx`insert into public.installation (key, value) values (${REPLACED}, 'yes') on conflict do nothing`;
    },
    drop: () => connected((sql) => sql.begin((tx) => dropReplaced(tx))).then(() => {}),
    putBack: () => connected((sql) => sql.begin((tx) => putBack(tx))).then(() => {}),
  };
}

/** Whether an interrupted or running restore has put the contents of the database under other names. */
export async function isSetAside(sql: Sql): Promise<boolean> {
  return (await schemasOf(sql, [`public${SUFFIX}`])).length > 0;
}

/**
 * Ends an interrupted restore: deletes what it replaced if it had committed, otherwise puts that back, unless the database
 * has users since. Null while a restore runs.
 */
export function endInterruptedRestore(url: string): Promise<'deleted' | 'put back' | 'kept' | null> {
  return whileNoOtherRestores(url, () =>
    withoutLimits(url, (sql) =>
      sql.begin(async (tx) => {
        if (await isReplaced(tx)) {
          await dropReplaced(tx);
          return 'deleted';
        }
        if (await hasUsers(tx)) return 'kept';
        await putBack(tx);
        return 'put back';
      }),
    ),
  );
}

async function isReplaced(sql: Sql): Promise<boolean> {
  const [table] = await sql`select to_regclass('public.installation') is not null as known`;
  if (!table?.known) return false;
  return (await sql`select from public.installation where key = ${REPLACED}`).length > 0;
}

async function hasUsers(sql: Sql): Promise<boolean> {
  const [table] = await sql`select to_regclass('public.users') is not null as known`;
  if (!table?.known) return false;
  return (await sql`select from public.users limit 1`).length > 0;
}

async function schemasOf(sql: Sql, names: string[]): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select nspname as name from pg_namespace where nspname = any(${names}) order by 1`;
  return rows.map(({ name }) => name);
}

const setAsideOn = (sql: Sql) =>
  schemasOf(
    sql,
    SCHEMAS.map((name) => `${name}${SUFFIX}`),
  );

async function dropSetAside(tx: Sql): Promise<void> {
  for (const name of await setAsideOn(tx)) await tx.unsafe(`drop schema ${name} cascade`);
}

async function dropReplaced(tx: Sql): Promise<void> {
  await dropSetAside(tx);
  await tx`delete from public.installation where key = ${REPLACED}`;
}

async function putBack(tx: Sql): Promise<void> {
  const there = await setAsideOn(tx);
  if (!there.includes(`public${SUFFIX}`)) return dropSetAside(tx);
  for (const name of SCHEMAS) await tx.unsafe(`drop schema if exists ${name} cascade`);
  for (const name of there)
    await tx.unsafe(`alter schema ${name} rename to ${name.slice(0, -SUFFIX.length)}`);
}

async function aliveOn(sql: Sql, silenceMs: number): Promise<{ kind: string; host: string }[]> {
  const [table] = await sql`select to_regclass('public.processes') is not null as known`;
  if (!table?.known) return [];
  return sql<{ kind: string; host: string }[]>`
    select kind, host from public.processes where seen_at > clock_timestamp() - ${silenceMs} * interval '1 millisecond'`;
}

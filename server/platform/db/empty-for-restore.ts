import { type SQL, sql } from 'drizzle-orm';
import type { Db, Tx } from './drizzle.ts';
import { withoutLimits } from './migrate.ts';

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
  read<Row>(statement: SQL): Promise<Row[]>;
  /** Records in the transaction of the restore that these contents are no longer needed. */
  markReplaced(tx: Tx): Promise<void>;
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
  return withoutLimits(url, async (db) => {
    await db.run(sql`set idle_session_timeout = 0`);
    const [lock] = await db.run<{ free: boolean }>(sql`select pg_try_advisory_lock(${RESTORE_LOCK}) as free`);
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
  const connected = <T>(work: (db: Db) => Promise<T>): Promise<T> => withoutLimits(url, work);
  await connected((db) =>
    db.transaction(async (tx) => {
      if (await hasUsers(tx)) await dropSetAside(tx);
      else await putBack(tx);
    }),
  );
  await connected(async (db) => {
    refuse(await aliveOn(db, silenceMs));
    await db.transaction(async (tx) => {
      for (const name of await schemasOf(tx, SCHEMAS)) await rename(tx, name, `${name}${SUFFIX}`);
      await tx.run(sql`create schema public`);
    });
  });
  return {
    schema: `public${SUFFIX}`,
    fact: (key) =>
      connected(async (db) => {
        const [table] = await db.run(
          sql`select to_regclass(${`public${SUFFIX}.installation`}) is not null as known`,
        );
        if (!table?.known) return null;
        const [row] = await db.run<{ value: string }>(
          sql`select value from ${sql.identifier(`public${SUFFIX}`)}.installation where key = ${key}`,
        );
        return row?.value ?? null;
      }),
    read: (statement) => connected((db) => db.run(statement)),
    markReplaced: async (tx) => {
      await tx.run(
        sql`insert into public.installation (key, value) values (${REPLACED}, 'yes') on conflict do nothing`,
      );
    },
    drop: () => connected((db) => db.transaction((tx) => dropReplaced(tx))).then(() => {}),
    putBack: () => connected((db) => db.transaction((tx) => putBack(tx))).then(() => {}),
  };
}

/** Whether an interrupted or running restore has put the contents of the database under other names. */
export async function isSetAside(db: Db): Promise<boolean> {
  return (await schemasOf(db, [`public${SUFFIX}`])).length > 0;
}

/**
 * Ends an interrupted restore: deletes what it replaced if it had committed, otherwise puts that back, unless the database
 * has users since. Null while a restore runs.
 */
export function endInterruptedRestore(url: string): Promise<'deleted' | 'put back' | 'kept' | null> {
  return whileNoOtherRestores(url, () =>
    withoutLimits(url, (db) =>
      db.transaction(async (tx) => {
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

async function isReplaced(db: Db): Promise<boolean> {
  const [table] = await db.run(sql`select to_regclass('public.installation') is not null as known`);
  if (!table?.known) return false;
  return (await db.run(sql`select from public.installation where key = ${REPLACED}`)).length > 0;
}

async function hasUsers(db: Db): Promise<boolean> {
  const [table] = await db.run(sql`select to_regclass('public.users') is not null as known`);
  if (!table?.known) return false;
  return (await db.run(sql`select from public.users limit 1`)).length > 0;
}

async function schemasOf(db: Db, names: string[]): Promise<string[]> {
  const rows = await db.run<{ name: string }>(sql`
    select nspname as name from pg_namespace where nspname = any(${sql.param(names)}) order by 1`);
  return rows.map(({ name }) => name);
}

const setAsideOn = (db: Db) =>
  schemasOf(
    db,
    SCHEMAS.map((name) => `${name}${SUFFIX}`),
  );

async function dropSetAside(tx: Tx): Promise<void> {
  for (const name of await setAsideOn(tx)) await tx.run(sql`drop schema ${sql.identifier(name)} cascade`);
}

async function dropReplaced(tx: Tx): Promise<void> {
  await dropSetAside(tx);
  await tx.run(sql`delete from public.installation where key = ${REPLACED}`);
}

async function putBack(tx: Tx): Promise<void> {
  const there = await setAsideOn(tx);
  if (!there.includes(`public${SUFFIX}`)) return dropSetAside(tx);
  for (const name of SCHEMAS) await tx.run(sql`drop schema if exists ${sql.identifier(name)} cascade`);
  for (const name of there) await rename(tx, name, name.slice(0, -SUFFIX.length));
}

async function rename(tx: Tx, schema: string, to: string): Promise<void> {
  await tx.run(sql`alter schema ${sql.identifier(schema)} rename to ${sql.identifier(to)}`);
}

async function aliveOn(db: Db, silenceMs: number): Promise<{ kind: string; host: string }[]> {
  const [table] = await db.run(sql`select to_regclass('public.processes') is not null as known`);
  if (!table?.known) return [];
  return db.run<{ kind: string; host: string }>(sql`
    select kind, host from public.processes where seen_at > clock_timestamp() - ${silenceMs} * interval '1 millisecond'`);
}

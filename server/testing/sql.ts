import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import type { Database, Db } from '#server/platform/db/client.ts';
import type { Pool, Reserved } from '#server/platform/db/pool.ts';

// biome-ignore lint/suspicious/noExplicitAny: the caller knows what a row is
type AnyRow = any;

/** SQL of a test, sent at once: resolves with its rows. */
export interface Sql {
  readonly db: Db;
  /** Each value is a parameter, an array too; drizzle's conditions are a part of the text. */
  <Rows extends readonly unknown[] = AnyRow[]>(
    strings: TemplateStringsArray,
    ...values: readonly unknown[]
  ): Promise<Rows>;
  /** Unchanged text, with values for `$1` and so on. Without values it may contain several statements. */
  unsafe<Rows extends readonly unknown[] = AnyRow[]>(
    text: string,
    values?: readonly unknown[],
  ): Promise<Rows>;
  /** Runs `work` in a transaction; inside a transaction, after a savepoint. */
  begin<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
}

export function sqlOver(db: Db): Sql {
  const rows = <Rows>(statement: SQL) => db.run(statement) as Promise<Rows>;
  const tag = (strings: TemplateStringsArray, ...values: readonly unknown[]) =>
    rows(sql(strings, ...values.map((value) => (isSql(value) ? value : sql.param(value ?? null)))));
  return Object.assign(tag, {
    db,
    unsafe(text: string, values: readonly unknown[] = []) {
      const parts = values.length === 0 ? [text] : text.split(/\$(\d+)/);
      return rows(
        sql.join(parts.map((part, n) => (n % 2 ? sql.param(values[Number(part) - 1]) : sql.raw(part)))),
      );
    },
    begin: <T>(work: (sql: Sql) => Promise<T>) => db.transaction((tx) => work(sqlOver(tx))),
  }) as Sql;
}

const isSql = (value: unknown): value is SQLWrapper =>
  typeof value === 'object' && value !== null && 'getSQL' in value;

/** A database of the product, for tests that write SQL. */
export type WithSql<D = Database> = D & { sql: Sql };

export function withSql<D extends { db: Db }>(database: D): WithSql<D> {
  return Object.assign(database, { sql: sqlOver(database.db) });
}

/** One connection of a pool, until `release`. */
export async function reserve(pool: Pool): Promise<Sql & Reserved> {
  const reserved = await pool.reserve();
  return Object.assign(sqlOver(reserved.db), reserved);
}

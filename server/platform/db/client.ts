import { drizzle, type PostgresJsDatabase } from 'drizzle-orm/postgres-js';
import type postgres from 'postgres';
import { singleton } from '#server/platform/singleton.ts';
import * as schema from '#server/schema/index.ts';
import { settings } from '#server/settings.ts';
import { openPool, type Pool } from './pool.ts';

export type Schema = typeof schema;
/** A connection pool or an open transaction: what every query takes as its first argument. */
export type Db = PostgresJsDatabase<Schema> | Tx;
export type Tx = Parameters<Parameters<PostgresJsDatabase<Schema>['transaction']>[0]>[0];

export interface Database {
  db: PostgresJsDatabase<Schema>;
  /** The pool beneath, for LISTEN and for statements drizzle has no word for. */
  sql: Pool;
  /**
   * Few connections of pg-boss's own: it asks things while a transaction of ours is open, and would wait for
   * ever where each connection of the pool is in such a transaction.
   */
  bossSql: Pool;
  /** The same database over a few connections of its own: pages that wait for one take none from sending. */
  forPages: Database;
  close(): Promise<void>;
}

const BOSS_CONNECTIONS = 2;
/** More would let the pages' queries take both cores of a small machine (`npm run bench neighbours`). */
export const PAGES_CONNECTIONS = 2;

/** Opens a pool of at most `max` connections. Nothing is connected before the first query. */
export function openDatabase(url: string, max = 10): Database {
  const sql = openPool(url, max);
  const bossSql = openPool(url, BOSS_CONNECTIONS);
  const pagesSql = openPool(url, Math.min(max, PAGES_CONNECTIONS));
  const close = async () => {
    await Promise.all([sql.end(), bossSql.end(), pagesSql.end()]);
  };
  const forPages: Database = {
    db: drizzleOver(pagesSql),
    sql: pagesSql,
    bossSql,
    get forPages() {
      return forPages;
    },
    close,
  };
  return { db: drizzleOver(sql), sql, bossSql, forPages, close };
}

/**
 * Drizzle's words for postgres.js fit ours; that driver itself crashes the process, or sends a statement outside its
 * transaction, when a connection is lost in the middle of one.
 */
function drizzleOver(pool: Pool): PostgresJsDatabase<Schema> {
  return drizzle(pool as unknown as postgres.Sql, { schema });
}

/** This process's database. Throws when `DATABASE_URL` is not set. */
export const database = singleton('database', (): Database => {
  if (!settings.databaseUrl) throw new Error('DATABASE_URL is not set');
  return openDatabase(settings.databaseUrl);
});

/** Puts a database in the place of the one that the settings name, for a process that starts its own. */
export function setDatabase(value: Database): void {
  database.set(value);
}

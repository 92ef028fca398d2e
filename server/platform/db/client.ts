import { currentTurn } from '#server/platform/page-turn.ts';
import { singleton } from '#server/platform/singleton.ts';
import { settings } from '#server/settings.ts';
import type { PoolDb } from './drizzle.ts';
import { openPool, type Pool } from './pool.ts';

export type { Db, Tx } from './drizzle.ts';

/** The connections of a process to PostgreSQL, in pools that do not take connections from each other. */
export interface Database {
  db: PoolDb;
  /** The same pool, for LISTEN and long transactions. */
  pool: Pool;
  /**
   * A few connections only for pg-boss. It queries while our transactions are open, and those may hold all the
   * others.
   */
  bossPool: Pool;
  /** A few connections only for webhooks, so that they take none from sending. */
  webhooksPool: Pool;
  /** The same database over a few other connections, so that pages take none from sending. Accounts take turns. */
  forPages: Database;
  close(): Promise<void>;
}

const BOSS_CONNECTIONS = 2;
const WEBHOOK_CONNECTIONS = 2;
const WEBHOOK_SETTINGS = {
  // After a crash of PostgreSQL, a delivered event may be delivered again.
  synchronous_commit: 'off',
  // Planning the statement that stores attempts takes longer than storing ten of them.
  plan_cache_mode: 'force_generic_plan',
  // PostgreSQL keeps its plans. On a new installation it plans for empty tables and would choose sequential scans.
  enable_seqscan: 'off',
};
const PAGE_SETTINGS = {
  // A plan for any account and any filter walks through millions of messages for a filter that matches few.
  plan_cache_mode: 'force_custom_plan',
};
/** An account has one of them. More would take both cores of a small machine (`npm run bench neighbours`). */
export const PAGES_CONNECTIONS = 3;

/** Opens a pool of at most `max` connections. Nothing is connected before the first query. */
export function openDatabase(url: string, max = 10): Database {
  const pool = openPool(url, max);
  const bossPool = openPool(url, BOSS_CONNECTIONS);
  const pagesPool = openPool(url, Math.min(max, PAGES_CONNECTIONS), PAGE_SETTINGS, currentTurn);
  const webhooksPool = openPool(url, WEBHOOK_CONNECTIONS, WEBHOOK_SETTINGS);
  const close = async () => {
    await Promise.all([pool, bossPool, webhooksPool, pagesPool].map((one) => one.end()));
  };
  const forPages: Database = {
    db: pagesPool.db,
    pool: pagesPool,
    ...{ bossPool, webhooksPool },
    get forPages() {
      return forPages;
    },
    close,
  };
  return { db: pool.db, pool, bossPool, webhooksPool, forPages, close };
}

/** Throws when `DATABASE_URL` is not set. */
export function databaseUrl(): string {
  if (!settings.databaseUrl) throw new Error('DATABASE_URL is not set');
  return settings.databaseUrl;
}

/** This process's database. Throws when `DATABASE_URL` is not set. */
export const database = singleton('database', (): Database => openDatabase(databaseUrl()));

/** Replaces the database that the settings name, for a process that starts its own. */
export function setDatabase(value: Database): void {
  database.set(value);
}

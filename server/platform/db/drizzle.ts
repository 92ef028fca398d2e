import { DrizzleQueryError, type ExtractTablesWithRelations, type SQL } from 'drizzle-orm';
import { NodePgDatabase, NodePgSession, NodePgTransaction } from 'drizzle-orm/node-postgres';
import { PgDialect, type PgTransactionConfig } from 'drizzle-orm/pg-core';
import type pg from 'pg';
import type { Connection } from './connection.ts';

type NoSchema = Record<string, never>;
type NoTables = ExtractTablesWithRelations<NoSchema>;
type Connections = pg.Pool & {
  transaction<T>(work: (connection: Connection) => Promise<T>): Promise<T>;
};

const dialect = new PgDialect();

/** Drizzle over a pool or an open transaction: the first argument of a query. */
export type Db = PoolDb | Tx;

/** Uses the pool's transactions, because drizzle's own wait for the answer to `begin`. */
class PoolSession extends NodePgSession<NoSchema, NoTables> {
  readonly #pool: Connections;

  constructor(pool: Connections) {
    super(pool, dialect, undefined);
    this.#pool = pool;
  }

  override transaction<T>(work: (tx: Tx) => Promise<T>, config?: PgTransactionConfig): Promise<T> {
    return this.#pool.transaction(async (connection) => {
      const tx = new Tx(connection);
      if (config) await tx.setTransaction(config);
      return work(tx);
    });
  }
}

/** Drizzle over a pool. */
export class PoolDb extends NodePgDatabase<NoSchema> {
  constructor(pool: Connections) {
    super(dialect, new PoolSession(pool), undefined);
  }

  override transaction<T>(work: (tx: Tx) => Promise<T>, config?: PgTransactionConfig): Promise<T> {
    return super.transaction(work as never, config);
  }

  run = run;
}

/** Drizzle on a connection that is already in a transaction. */
export class Tx extends NodePgTransaction<NoSchema, NoTables> {
  constructor(connection: Connection) {
    super(dialect, new NodePgSession(connection, dialect, undefined), undefined);
  }

  /** After a savepoint. */
  override transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return super.transaction(() => work(this));
  }

  run = run;
}

/**
 * Sends a statement that the builder has no form for, and resolves with its rows. It is sent before this returns, so that
 * several of a transaction go out together. Rejects with PostgreSQL's own error.
 */
function run<Row = Record<string, unknown>>(
  this: Pick<NodePgDatabase, 'execute'>,
  statement: SQL,
): Promise<Row[]> {
  return this.execute(statement).then(
    ({ rows }) => rows as Row[],
    (error: unknown) => {
      throw error instanceof DrizzleQueryError ? error.cause : error;
    },
  );
}

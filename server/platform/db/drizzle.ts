import type { ExtractTablesWithRelations } from 'drizzle-orm';
import { NodePgDatabase, NodePgSession, NodePgTransaction } from 'drizzle-orm/node-postgres';
import { PgDialect, type PgTransactionConfig } from 'drizzle-orm/pg-core';
import type { Connection } from './connection.ts';
import type { ConnectionPool } from './pool.ts';

export type Tx = Parameters<Parameters<NodePgDatabase['transaction']>[0]>[0];
type NoSchema = Record<string, never>;
type NoTables = ExtractTablesWithRelations<NoSchema>;

const dialect = new PgDialect();

/**
 * Drizzle's session over a pool. It uses the pool's transactions, because drizzle's own transactions wait for the
 * answer to `begin`.
 */
class PoolSession extends NodePgSession<NoSchema, NoTables> {
  readonly #pool: ConnectionPool;

  constructor(pool: ConnectionPool) {
    super(pool, dialect, undefined);
    this.#pool = pool;
  }

  override transaction<T>(work: (tx: Tx) => Promise<T>, config?: PgTransactionConfig): Promise<T> {
    return this.#pool.transaction(async (connection) => {
      const tx = transactionOn(connection);
      if (config) await tx.setTransaction(config);
      return work(tx);
    });
  }
}

export function drizzleOver(pool: ConnectionPool): NodePgDatabase {
  return new NodePgDatabase(dialect, new PoolSession(pool), undefined);
}

/** Drizzle on a connection that is already in a transaction. */
export function transactionOn(connection: Connection): Tx {
  return new NodePgTransaction(dialect, new NodePgSession(connection, dialect, undefined), undefined);
}

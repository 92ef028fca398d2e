import { randomBytes } from 'node:crypto';
import postgres from 'postgres';
import { beforeAll, inject } from 'vitest';
import { openDatabase } from '#server/platform/db/client.ts';
import { type WithSql, withSql } from './sql.ts';

export interface TestDatabase extends WithSql {
  url: string;
  /** Ends every connection to the database and drops it. */
  drop(): Promise<void>;
}

/**
 * A separate database for the tests of a file, created before the first and dropped after every `afterAll`. Only hooks
 * and tests can use it, because it is empty while the file is loaded.
 */
export function testDatabase(): TestDatabase {
  const database = {} as TestDatabase;
  beforeAll(async () => {
    Object.assign(database, await createTestDatabase());
    return database.drop;
  });
  return database;
}

/** A separate database, copied from the migrated template, or empty with `empty`. The caller drops it. */
export async function createTestDatabase({ empty = false } = {}): Promise<TestDatabase> {
  const serverUrl = inject('serverUrl');
  const name = `wirebird_${randomBytes(6).toString('hex')}`;
  const template = empty ? 'template0' : inject('template');
  // A third of the processor time of the default, which writes every page of the copy to the log as well.
  await onServer(serverUrl, `create database ${name} template ${template} strategy file_copy`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const database = withSql(openDatabase(url.href, 10));
  return {
    ...database,
    url: url.href,
    drop: async () => {
      await database.close();
      await onServer(serverUrl, `drop database if exists ${name} with (force)`);
    },
  };
}

async function onServer(serverUrl: string, statement: string): Promise<void> {
  const admin = postgres(serverUrl, { max: 1, onnotice: () => {} });
  try {
    await admin.unsafe(statement);
  } finally {
    await admin.end();
  }
}

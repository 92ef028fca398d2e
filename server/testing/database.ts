import { randomBytes } from 'node:crypto';
import postgres from 'postgres';
import { inject } from 'vitest';
import { type Database, openDatabase } from '#server/platform/db/client.ts';

/**
 * A separate database for a test file, copied from the migrated template, or empty with `empty`. `drop` ends
 * every connection to it.
 */
export async function createTestDatabase({
  empty = false,
} = {}): Promise<Database & { url: string; drop(): Promise<void> }> {
  const serverUrl = inject('serverUrl');
  const name = `wirebird_${randomBytes(6).toString('hex')}`;
  const template = empty ? 'template0' : inject('template');
  // A third of the processor time of the default, which writes every page of the copy to the log as well.
  await onServer(serverUrl, `create database ${name} template ${template} strategy file_copy`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const database = openDatabase(url.href, 10);
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

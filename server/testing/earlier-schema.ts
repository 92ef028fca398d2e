import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { drizzle } from 'drizzle-orm/postgres-js';
import { migrate } from 'drizzle-orm/postgres-js/migrator';
import postgres from 'postgres';
import journal from '../../drizzle/meta/_journal.json' with { type: 'json' };

/** Makes the schema of an earlier version in an empty database: the migrations before this one. */
export async function makeEarlierSchema(databaseUrl: string, before: string): Promise<void> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'wirebird-earlier-schema-'));
  const client = postgres(databaseUrl, { max: 1, onnotice: () => {} });
  try {
    await cp('drizzle', folder, { recursive: true });
    const entries = journal.entries.filter(({ tag }) => tag < before);
    await writeFile(path.join(folder, 'meta/_journal.json'), JSON.stringify({ ...journal, entries }));
    await migrate(drizzle(client), { migrationsFolder: folder });
  } finally {
    await client.end();
    await rm(folder, { recursive: true });
  }
}

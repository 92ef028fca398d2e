import { rm, stat } from 'node:fs/promises';
import path from 'node:path';
import postgres from 'postgres';
import { backUp } from '#server/operations/back-up.ts';
import { restore } from '#server/operations/restore.ts';
import { openDatabase } from '#server/platform/db/client.ts';
import { migrate } from '#server/platform/db/migrate.ts';
import type { Browserless } from './browserless.ts';

const RESTORED = 'restored';

/** How long a backup takes beside the running product, and a restore into an empty database of the same server. */
export async function backupTimes({ database, databaseUrl, dataDir }: Browserless) {
  const file = path.join(dataDir, 'growth.backup');
  const backedUpMs = await timed(() => backUp({ database }, { file }));
  const admin = postgres(databaseUrl, { max: 1, onnotice: () => {} });
  const target = Object.assign(new URL(databaseUrl), { pathname: `/${RESTORED}` }).href;
  try {
    await admin.unsafe(`create database ${RESTORED}`);
    await migrate(target);
    const empty = openDatabase(target);
    const restoredMs = await timed(() => restore({ database: empty }, { file, otherSecrets: false }));
    await empty.close();
    return { backedUpMs, backupMb: Math.round((await stat(file)).size / 1_000_000), restoredMs };
  } finally {
    await admin.unsafe(`drop database if exists ${RESTORED} with (force)`);
    await admin.end();
    await rm(file, { force: true });
  }
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await run();
  return Math.round(performance.now() - from);
}

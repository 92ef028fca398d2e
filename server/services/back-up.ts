import fs from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { AppError } from '#server/core/errors.ts';
import type { Database } from '#server/db/client.ts';
import type { SecretName } from '#server/secrets.ts';
import { type BackedUpTable, readRows, schemaVersion, tablesToBackUp } from '#server/store/backup.ts';
import { version } from '#server/version.ts';
import { fingerprints } from './secret-fingerprints.ts';

export const BACKUP_FORMAT = 1;

/** The first line of a backup. */
export interface BackupHeader {
  wirebird: 'backup';
  format: number;
  /** Of the product that made it. */
  version: string;
  schema: number;
  madeAt: string;
  /** Of the secrets without which keys are void and stored sessions and second factors cannot be opened. */
  fingerprints: Record<SecretName, string>;
}

/**
 * Writes the whole database, as of one moment, to a file that its owner alone can read: every account, key
 * (as its hash) and message, without what comes back by itself. The product may run meanwhile. The secrets
 * are not in it, only their fingerprints: keep those apart. Throws `already_exists`, `unavailable`
 * when the file cannot be written.
 */
export async function backUp(
  database: Database,
  { file }: { file: string },
): Promise<{ file: string; bytes: number; rows: Record<string, number> }> {
  if (fs.existsSync(file))
    throw new AppError('already_exists', `${file} is there already. Name another file.`);
  const rows: Record<string, number> = {};
  const partial = `${file}.partial`;
  try {
    await database.sql.begin(async (sql) => {
      await sql`set transaction isolation level repeatable read, read only`;
      const tables = await tablesToBackUp(sql);
      const header: BackupHeader = {
        wirebird: 'backup',
        format: BACKUP_FORMAT,
        version,
        schema: await schemaVersion(sql),
        madeAt: new Date().toISOString(),
        fingerprints: fingerprints(),
      };
      async function* lines() {
        yield `${JSON.stringify(header)}\n`;
        for (const table of tables) {
          rows[table.name] = 0;
          yield `${JSON.stringify({ table } satisfies { table: BackedUpTable })}\n`;
          for await (const some of readRows(sql, table.name)) {
            rows[table.name] = (rows[table.name] ?? 0) + some.length;
            yield `${some.join('\n')}\n`;
          }
        }
        // Without its last line a backup is not whole.
        yield `${JSON.stringify({ end: rows })}\n`;
      }
      const out = fs.createWriteStream(partial, { mode: 0o600, flags: 'wx', flush: true });
      await pipeline(Readable.from(lines()), createGzip(), out);
    });
    fs.renameSync(partial, file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EACCES' && code !== 'ENOENT') throw error;
    throw new AppError(
      'unavailable',
      `${file} cannot be written. Name one in a directory that is there and belongs to the user that Wirebird runs as.`,
    );
  } finally {
    fs.rmSync(partial, { force: true });
  }
  return { file, bytes: fs.statSync(file).size, rows };
}

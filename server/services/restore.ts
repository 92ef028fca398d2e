import fs from 'node:fs';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { AppError } from '#server/core/errors.ts';
import type { Database } from '#server/db/client.ts';
import { clientBoss, createSendQueue } from '#server/queue/boss.ts';
import type { SecretName } from '#server/secrets.ts';
import {
  allNumbers,
  type BackedUpTable,
  isEmpty,
  raiseSequences,
  schemaVersion,
  settleRestored,
  writeRows,
} from '#server/store/backup.ts';
import { BACKUP_FORMAT, type BackupHeader } from './back-up.ts';
import { acceptSecrets, fingerprints } from './secret-fingerprints.ts';

const ROWS_AT_ONCE = 500;

export interface Restored {
  madeAt: string;
  rows: number;
  /** Messages that waited, and now never leave. */
  expired: number;
  /** Messages that were being sent. */
  unknown: number;
  /** Numbers to be linked again. */
  toLink: number;
  /** Secrets that are not those of the backup. */
  otherSecrets: SecretName[];
}

/**
 * Fills an empty database from a backup, in one transaction: all of it, or nothing. Nothing of it is sent, and
 * no session of the real network starts from the past. Throws `invalid_parameters` for a file that is not there,
 * or no whole backup, or is of a newer version; `already_exists` when somebody is in the database; `forbidden` when other
 * secrets are set here, unless `otherSecrets` says that this is meant.
 */
export async function restore(
  database: Database,
  { file, otherSecrets }: { file: string; otherSecrets: boolean },
): Promise<Restored> {
  requireReadable(file);
  const input = createGunzip();
  // What goes wrong with the file ends the lines that are read of it.
  pipeline(fs.createReadStream(file), input).catch(() => {});
  const lines = createInterface({ input })[Symbol.asyncIterator]();
  const next = async () => {
    try {
      const { value, done } = await lines.next();
      return done ? null : value;
    } catch (cause) {
      throw notWhole(file, cause);
    }
  };
  const header = readHeader(await next(), file);
  const own = fingerprints();
  const differing = (Object.keys(own) as SecretName[]).filter(
    (name) => own[name] !== header.fingerprints[name],
  );
  if (differing.length > 0 && !otherSecrets)
    throw new AppError(
      'forbidden',
      `The secrets set here are not those of the backup (${differing.join(', ')}). Set the old ones, or repeat with --other-secrets: keys made under another KEY_PEPPER are void, and what another DATA_KEY sealed is lost.`,
    );
  const restored = await database.sql.begin(async (sql) => {
    if (!(await isEmpty(sql)))
      throw new AppError(
        'already_exists',
        'This database is in use. A backup is restored into an empty one.',
      );
    if (header.schema > (await schemaVersion(sql)))
      throw new AppError(
        'invalid_parameters',
        `The backup is of version ${header.version}, newer than this product.`,
      );
    await sql`delete from installation`;
    let table: BackedUpTable | null = null;
    let rows: string[] = [];
    let count = 0;
    const flush = async () => {
      if (table && rows.length > 0) await writeRows(sql, table, rows);
      count += rows.length;
      rows = [];
    };
    for (;;) {
      const line = await next();
      if (line === null) throw notWhole(file);
      const marker: { table?: BackedUpTable; end?: unknown } | null = /^\{"(table|end)":\{/.test(line)
        ? JSON.parse(line)
        : null;
      if (!marker) rows.push(line);
      if (marker || rows.length >= ROWS_AT_ONCE) await flush();
      if (marker?.end) break;
      if (marker?.table) table = marker.table;
    }
    await raiseSequences(sql);
    return { rows: count, ...(await settleRestored(sql)) };
  });
  await acceptSecrets(database);
  const boss = await clientBoss(database);
  for (const numberId of await allNumbers(database)) await createSendQueue(boss, numberId);
  return { madeAt: header.madeAt, ...restored, otherSecrets: differing };
}

function requireReadable(file: string): void {
  try {
    fs.accessSync(file, fs.constants.R_OK);
  } catch (cause) {
    const why = (cause as NodeJS.ErrnoException).code === 'ENOENT' ? 'is not there' : 'cannot be read';
    throw new AppError(
      'invalid_parameters',
      `${file} ${why}. Name a backup that the user whom Wirebird runs as can read.`,
      { cause },
    );
  }
}

function readHeader(line: string | null, file: string): BackupHeader {
  let header: Partial<BackupHeader> | null = null;
  try {
    header = JSON.parse(line ?? '');
  } catch (cause) {
    throw notWhole(file, cause);
  }
  if (header?.wirebird !== 'backup') throw notWhole(file);
  if (header.format !== BACKUP_FORMAT)
    throw new AppError('invalid_parameters', `${file} is of a format that this version does not know.`);
  return header as BackupHeader;
}

function notWhole(file: string, cause?: unknown): AppError {
  return new AppError('invalid_parameters', `${file} is not a backup, or not a whole one.`, { cause });
}

import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { AppError } from '#server/core/errors.ts';
import { NEWEST_MIGRATION, OLDEST_MIGRATION } from '#server/platform/db/migrate.ts';
import { version } from '#server/platform/version.ts';
import { BACKUP_FORMAT, type BackupHeader } from './back-up.ts';
import type { BackedUpTable } from './queries/backup.ts';

type Marker = { table: BackedUpTable } | { end: unknown; sha256?: unknown };

/**
 * Reads a whole backup and returns its header. Throws `invalid_parameters` for a file that is missing, not a
 * backup, incomplete, changed, or of a newer version.
 */
export async function checkBackup(file: string): Promise<BackupHeader> {
  requireReadable(file);
  const hash = createHash('sha256');
  let header: BackupHeader | null = null;
  let sum: unknown = null;
  for await (const line of linesOf(file)) {
    if (sum !== null) throw changed(file);
    if (header === null) {
      header = readHeader(line, file);
      requireKnown(header, file);
    }
    const marker = markerOf(line, file);
    if (marker && 'end' in marker) sum = marker.sha256 ?? '';
    else hash.update(`${line}\n`);
  }
  if (header === null) throw notBackup(file);
  if (sum === null) throw notWhole(file);
  if (sum !== hash.digest('hex')) throw changed(file);
  return header;
}

/** The tables of a backup with their rows, in batches. */
export async function* rowsOf(
  file: string,
  { atOnce }: { atOnce: number },
): AsyncGenerator<{ table: BackedUpTable; rows: string[] }> {
  let table: BackedUpTable | null = null;
  let rows: string[] = [];
  for await (const line of linesOf(file)) {
    const marker = markerOf(line, file);
    if (!marker && table) rows.push(line);
    if (table && rows.length > 0 && (marker || rows.length >= atOnce)) {
      yield { table, rows };
      rows = [];
    }
    if (marker && 'table' in marker) table = marker.table;
  }
}

/** An error of the file ends the lines. */
async function* linesOf(file: string): AsyncGenerator<string> {
  const input = createGunzip();
  let fault: NodeJS.ErrnoException | null = null;
  // Also after the caller has stopped reading: an error without a listener ends the process.
  input.on('error', (error) => {
    fault ??= error;
  });
  const read = pipeline(fs.createReadStream(file), input).catch((error: NodeJS.ErrnoException) => {
    fault = error;
  });
  try {
    // Not `readline`, which also ends a line at U+2028 and U+2029. Texts contain them.
    let begun: string[] = [];
    for await (const part of input.setEncoding('utf8')) {
      const [first = '', ...others] = (part as string).split('\n');
      begun.push(first);
      for (const line of others) {
        yield begun.join('');
        begun = [line];
      }
    }
    await read;
    const last = begun.join('');
    if (last !== '') yield last;
  } catch (error) {
    fault ??= error as NodeJS.ErrnoException;
  } finally {
    input.destroy();
  }
  if (!fault) return;
  const { code } = fault as NodeJS.ErrnoException;
  if (code === 'Z_BUF_ERROR') throw notWhole(file, fault);
  if (code === 'Z_DATA_ERROR' && isGzip(file)) throw changed(file, fault);
  throw notBackup(file, fault);
}

function isGzip(file: string): boolean {
  const head = Buffer.alloc(2);
  const handle = fs.openSync(file, 'r');
  fs.readSync(handle, head);
  fs.closeSync(handle);
  return head.readUInt16BE() === 0x1f8b;
}

function markerOf(line: string, file: string): Marker | null {
  if (!/^\{"(table|end)":\{/.test(line)) return null;
  try {
    return JSON.parse(line);
  } catch (cause) {
    throw changed(file, cause);
  }
}

function requireReadable(file: string): void {
  try {
    fs.accessSync(file, fs.constants.R_OK);
  } catch (cause) {
    const why = (cause as NodeJS.ErrnoException).code === 'ENOENT' ? 'is not there' : 'cannot be read';
    throw new AppError('invalid_parameters', `${file} ${why}. Name a backup that Wirebird’s user can read.`, {
      cause,
    });
  }
}

function readHeader(line: string, file: string): BackupHeader {
  let header: Partial<BackupHeader> | null = null;
  try {
    header = JSON.parse(line);
  } catch (cause) {
    throw notBackup(file, cause);
  }
  if (header?.wirebird !== 'backup') throw notBackup(file);
  return header as BackupHeader;
}

function requireKnown(header: BackupHeader, file: string): void {
  if (header.format > BACKUP_FORMAT || header.schema > NEWEST_MIGRATION)
    throw new AppError(
      'invalid_parameters',
      `${file} was made by a newer Wirebird (${header.version}) than this one (${version}). Restore it with that version or a later one.`,
    );
  if (header.format !== BACKUP_FORMAT || header.schema < OLDEST_MIGRATION)
    throw new AppError(
      'invalid_parameters',
      `${file} was made before the first release of Wirebird. Restore it with the version that made it (${header.version}).`,
    );
}

const notBackup = (file: string, cause?: unknown) =>
  new AppError('invalid_parameters', `${file} is not a backup of Wirebird.`, { cause });
const notWhole = (file: string, cause?: unknown) =>
  new AppError('invalid_parameters', `${file} is incomplete: its end is missing. Restore another backup.`, {
    cause,
  });
const changed = (file: string, cause?: unknown) =>
  new AppError(
    'invalid_parameters',
    `${file} is damaged or was changed after it was made: its checksum does not match. Restore another backup.`,
    { cause },
  );

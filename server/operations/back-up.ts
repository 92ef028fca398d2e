import { createHash, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { AppError } from '#server/core/errors.ts';
import type { Database } from '#server/platform/db/client.ts';
import type { InstallationContext } from '#server/platform/db/context.ts';
import { alreadyExists, writeRefusal } from '#server/platform/disk/write-refusals.ts';
import type { SecretName } from '#server/platform/secrets.ts';
import { version } from '#server/platform/version.ts';
import { generationOf, markMoved, movedAt, unmarkMoved } from './generation.ts';
import { type BackedUpTable, readRows, schemaVersion, tablesToBackUp } from './queries/backup.ts';
import { aliveProcesses, hasUsers } from './queries/operator.ts';
import { fingerprints } from './secret-fingerprints.ts';

export const BACKUP_FORMAT = 2;

const NOTHING =
  'There is nothing to back up: this installation has no user. Correct DATABASE_URL or DATA_DIR.';

/** The first line of a backup. */
export interface BackupHeader {
  wirebird: 'backup';
  format: number;
  /** Of the product that made it. */
  version: string;
  schema: number;
  madeAt: string;
  /** The installation was stopped and marked as moved before the backup, so it sends nothing more. */
  moved: boolean;
  /** Fingerprints of the secrets that keys, stored sessions and second factors need. */
  fingerprints: Record<SecretName, string>;
}

/**
 * Writes a snapshot of the whole database, without data that is rebuilt, to a file that only its owner can read.
 * The product may run meanwhile. The secrets are not in it, only their fingerprints: back them up separately.
 * `move` marks the installation as moved, so that it does not start again. Throws `already_exists`, `unavailable`
 * if the file cannot be written, `forbidden` for a move while a process runs, and `not_found` without any user.
 */
export async function backUp(
  { database }: InstallationContext,
  { file, move = false }: { file: string; move?: boolean },
) {
  if (fs.existsSync(file)) throw alreadyExists(file);
  if (!(await hasUsers(database.db))) throw new AppError('not_found', NOTHING);
  // A restore needs the generation that it continues.
  await generationOf({ database });
  if (!move) return write(database, { file, moved: false });
  const before = await movedAt({ database });
  // Marked first: a process that starts later sees the mark, and one that started before is seen here.
  await markMoved({ database });
  try {
    await requireStopped({ database });
    return await write(database, { file, moved: true });
  } catch (error) {
    if (before === null) await unmarkMoved({ database });
    throw error;
  }
}

/** Throws `forbidden` while a web or worker process is alive. */
export async function requireStopped({ database }: InstallationContext): Promise<void> {
  refuseAlive(await aliveProcesses(database.db));
}

/** Throws `forbidden` when a process is alive. */
export function refuseAlive(alive: { kind: string; host: string }[]): void {
  if (alive.length === 0) return;
  const kinds = alive.map(({ kind, host }) => `a ${kind} process on ${host}`).join(', ');
  throw new AppError(
    'forbidden',
    `Wirebird is still running: ${kinds}. Nothing was changed. Stop it everywhere, then run the command again. If you killed a process, wait 15 s first.`,
  );
}

/** A backup that is being written changes its file more often. */
const REST_AGE_MS = 3_600_000;

/** Removes what killed backups to the same file left. */
function removeRests(file: string): void {
  const directory = path.dirname(file);
  for (const name of fs.readdirSync(directory)) {
    if (!name.startsWith(`${path.basename(file)}.`) || !/\.[0-9a-f]{8}\.partial$/.test(name)) continue;
    const rest = path.join(directory, name);
    const changedAtMs = fs.statSync(rest, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    if (changedAtMs < Date.now() - REST_AGE_MS) fs.rmSync(rest, { force: true });
  }
}

async function write(database: Database, { file, moved }: { file: string; moved: boolean }) {
  const rows: Record<string, number> = {};
  // Its own name, so that neither a second backup nor the rest of a killed one is in the way.
  const partial = `${file}.${randomBytes(4).toString('hex')}.partial`;
  try {
    removeRests(file);
    await database.pool.beginLong(async (tx) => {
      await tx.setTransaction({ isolationLevel: 'repeatable read', accessMode: 'read only' });
      const tables = await tablesToBackUp(tx);
      const header: BackupHeader = {
        wirebird: 'backup',
        format: BACKUP_FORMAT,
        version,
        schema: await schemaVersion(tx),
        madeAt: new Date().toISOString(),
        moved,
        fingerprints: fingerprints(),
      };
      async function* lines() {
        yield `${JSON.stringify(header)}\n`;
        for (const table of tables) {
          rows[table.name] = 0;
          yield `${JSON.stringify({ table } satisfies { table: BackedUpTable })}\n`;
          for await (const some of readRows(tx, table)) {
            rows[table.name] = (rows[table.name] ?? 0) + some.length;
            yield `${some.join('\n')}\n`;
          }
        }
      }
      async function* checked() {
        const hash = createHash('sha256');
        for await (const line of lines()) {
          hash.update(line);
          yield line;
        }
        // A backup without its last line is incomplete.
        yield `${JSON.stringify({ end: rows, sha256: hash.digest('hex') })}\n`;
      }
      const out = fs.createWriteStream(partial, { mode: 0o600, flags: 'wx', flush: true });
      await pipeline(Readable.from(checked()), createGzip(), out);
    });
    fs.renameSync(partial, file);
  } catch (error) {
    throw writeRefusal(file, error);
  } finally {
    fs.rmSync(partial, { force: true });
  }
  return { file, bytes: fs.statSync(file).size, rows, moved };
}

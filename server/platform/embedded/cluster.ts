import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import type { ServerAccount } from './account.ts';
import { type Binaries, POSTGRES_ENVIRONMENT } from './binaries.ts';
import { complaints, diskFull, EmbeddedPostgresError, type Home, isDiskFull, readIfThere } from './home.ts';

const SUPERUSER = 'wirebird';
const DATABASE = 'postgres';

/**
 * The path that a PostgreSQL process in the cluster's directory uses for that directory. If we are root, its
 * account cannot access the real path, because only we can read DATA_DIR.
 */
export const dataArgument = (home: Home, account: ServerAccount): string =>
  account.uid === undefined ? home.data : '/proc/self/cwd';

/**
 * Creates the cluster if there is none, under another name that is then renamed, so that a crash leaves no partial one.
 * The password file is renamed after it, so that no earlier password is overwritten. The caller holds the home's lock.
 * Throws {@link EmbeddedPostgresError} if the cluster cannot be created, is missing or damaged, or was created by
 * another major version.
 *
 * @param earlier Files that only an earlier installation leaves: if one exists, no cluster is created.
 */
export async function ensureCluster(
  home: Home,
  binaries: Binaries,
  account: ServerAccount,
  earlier: string[],
): Promise<void> {
  const passwordFile = `${home.password}.new`;
  const made = readIfThere(path.join(home.data, 'PG_VERSION'));
  if (made !== null) {
    requireUsable(home, made, binaries.major);
    // After a crash between the two renames below.
    if (!fs.existsSync(home.password) && fs.existsSync(passwordFile))
      fs.renameSync(passwordFile, home.password);
    return;
  }
  requireNew(home, earlier);
  const fresh = `${home.data}.new`;
  fs.rmSync(fresh, { recursive: true, force: true });
  fs.mkdirSync(fresh, { mode: 0o700 });
  const password = randomBytes(18).toString('base64url');
  fs.writeFileSync(passwordFile, `${password}\n`, { mode: 0o600, flush: true });
  if (account.uid !== undefined && account.gid !== undefined) {
    fs.chownSync(fresh, account.uid, account.gid);
    fs.chownSync(passwordFile, account.uid, account.gid);
  }
  await initialise({ ...home, data: fresh }, passwordFile, binaries, account);
  if (account.uid !== undefined) fs.chownSync(passwordFile, 0, 0);
  try {
    fs.renameSync(fresh, home.data);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (!['EBUSY', 'EXDEV', 'ENOTEMPTY', 'EEXIST'].includes(code ?? '')) throw cause;
    throw new EmbeddedPostgresError(
      `${home.data} is the top of a volume, where no database can be made: mount the volume at ${home.root} or above.`,
      { cause },
    );
  }
  fs.renameSync(passwordFile, home.password);
}

function requireUsable(home: Home, made: string, major: string): void {
  if (made === major) return;
  if (!/^\d+$/.test(made))
    throw new EmbeddedPostgresError(
      `The database in ${home.data} is damaged: its PG_VERSION is ${made === '' ? 'empty' : 'not a version'}. Restore the directory from a copy made while Wirebird was stopped, or move DATA_DIR away and restore a backup with "cli restore".`,
    );
  throw new EmbeddedPostgresError(
    `${home.data} was made by PostgreSQL ${made} and this version brings ${major}: move the data with pg_dump and pg_restore, or set DATA_DIR to another directory.`,
  );
}

/**
 * Whether a cluster would be created here, because there is neither one nor a sign of an earlier one. Throws
 * {@link EmbeddedPostgresError} if one is missing.
 */
export function isNewCluster(home: Home, earlier: string[]): boolean {
  if (readIfThere(path.join(home.data, 'PG_VERSION')) !== null) return false;
  requireNew(home, earlier);
  return true;
}

/** A directory without a cluster means a first start, or a volume that is not mounted. */
function requireNew(home: Home, earlier: string[]): void {
  const signs = [home.password, ...earlier].filter((sign) => fs.existsSync(sign));
  if (fs.existsSync(home.data) && fs.readdirSync(home.data).some((name) => name !== 'lost+found'))
    throw new EmbeddedPostgresError(
      `${home.data} is not empty and holds no database (PG_VERSION is missing). Restore the directory from a copy made while Wirebird was stopped, or set DATA_DIR to another directory.`,
    );
  if (signs.length === 0) return;
  throw new EmbeddedPostgresError(
    `${home.data} holds no database, but an earlier installation has left ${signs.join(', ')}. If the database is on a volume, mount it and start again. To start over on purpose, without the earlier data, move ${signs.length > 1 ? 'these' : 'this'} away first. To restore a backup in its place, ${signs[0] === home.password ? `move ${home.password} away and ` : ''}run "cli restore".`,
  );
}

async function initialise(
  home: Home,
  passwordFile: string,
  binaries: Binaries,
  account: ServerAccount,
): Promise<void> {
  // The other account can read an open file even if it cannot access its path.
  const input = fs.openSync(passwordFile, 'r');
  try {
    const args = ['-D', dataArgument(home, account), '-U', SUPERUSER, '-A', 'scram-sha-256'];
    args.push('--pwfile', account.uid === undefined ? passwordFile : '/dev/stdin', '--no-instructions');
    // PostgreSQL's builtin locale is the same on every system; it does not depend on the C library.
    args.push('-E', 'UTF8', '--locale', 'C', '--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8');
    const child = spawn(binaries.initdb, args, {
      ...account,
      cwd: home.data,
      env: POSTGRES_ENVIRONMENT,
      stdio: [input, 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        output += chunk;
      });
    }
    const failure = await new Promise<string | null>((resolve) => {
      child.on('error', (error) => resolve(error.message));
      child.on('close', (code, signal) => resolve(code === 0 ? null : `exit ${code ?? signal}`));
    });
    if (failure) {
      if (isDiskFull(output)) throw new EmbeddedPostgresError(diskFull(home.root));
      throw new EmbeddedPostgresError(
        `The database in ${home.root} cannot be made: ${complaints(output) || failure}.`,
      );
    }
  } finally {
    fs.closeSync(input);
  }
}

/** The address of the cluster's server on `port`. */
export function databaseUrl(home: Home, port: number): string {
  const password = readIfThere(home.password);
  if (!password) {
    throw new EmbeddedPostgresError(
      `${home.password} is missing, and without it the database beside it cannot be opened: restore it from a backup.`,
    );
  }
  return `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/${DATABASE}`;
}

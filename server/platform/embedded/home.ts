import fs from 'node:fs';
import path from 'node:path';

/** An error of the embedded database, as one line that an operator can act on. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
}

/** What to do about a full disk. */
export const diskFull = (place: string): string =>
  `The disk that holds ${place} is full: make room there, then try again.`;

/** Whether a system call's error, or PostgreSQL's output, reports a full disk. */
export function isDiskFull(error: unknown): boolean {
  if (typeof error === 'string')
    return /No space left on device|Disk quota exceeded|Check free disk space/.test(error);
  return ['ENOSPC', 'EDQUOT', 'EFBIG'].includes((error as NodeJS.ErrnoException).code ?? '');
}

/** The last lines in which PostgreSQL reports what went wrong. */
export function complaints(output: string): string {
  return output
    .trim()
    .split('\n')
    .filter((line) => /FATAL|PANIC|ERROR|could not/.test(line))
    .slice(-2)
    .join(' ');
}

/** The paths of one embedded server, all below `dir`. */
export function homeAt(dir: string) {
  const root = path.resolve(dir);
  return {
    root,
    /** The cluster itself; owned by the account that runs the server. */
    data: path.join(root, 'data'),
    /** One file for each process that uses the server. */
    clients: path.join(root, 'clients'),
    password: path.join(root, 'password'),
    port: path.join(root, 'port'),
    /** Identity of the keeper, which stops the server after its last client. */
    keeper: path.join(root, 'keeper'),
    lock: path.join(root, 'lock'),
    log: path.join(root, 'postgres.log'),
  };
}

export type Home = ReturnType<typeof homeAt>;

/** Reads a small file, or null if it does not exist. */
export function readIfThere(file: string): string | null {
  try {
    return fs.readFileSync(file, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

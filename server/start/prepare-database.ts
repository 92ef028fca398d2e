import { spawn } from 'node:child_process';
import path from 'node:path';
import { nodePath } from '#server/platform/process/node.ts';
import { processEnvironment } from './process-plans.ts';
import { StartError } from './start-error.ts';

/**
 * The reports of `prepare.ts`: what it waits for, then the administrator's link or null, a problem for the
 * operator, or a bug, whose details it has logged.
 */
export type Prepared =
  | { waiting: string }
  | { adminLink: string | null }
  | { problem: string }
  | { fault: string };

/**
 * Checks that the database can be used, brings its schema up to date and compares the secrets.
 *
 * @returns the one-time link that makes an administrator, or null if there is one.
 * @throws StartError if the database cannot be used, was moved, or belongs to another data directory.
 */
export async function prepareDatabase(options: {
  databaseUrl: string;
  dataDir: string;
  port: number;
  signal: AbortSignal;
  embedded?: boolean;
  /** Reports what the start waits for. */
  onWaiting: (what: string) => void;
  /** Keeps the log of an unexpected error, and returns where to read it, as a sentence. */
  keepLog: (lines: string) => string;
  /** Makes the one-time link. A new link invalidates the previous one. */
  adminLink?: boolean;
  /** Sessions start from the data directory, so it must belong to the database. */
  ownsDataDir: boolean;
}): Promise<string | null> {
  const child = spawn(
    nodePath,
    [
      path.join(import.meta.dirname, 'prepare.ts'),
      ...(options.embedded ? ['--embedded'] : []),
      ...(options.adminLink === false ? ['--no-admin-link'] : []),
      ...(options.ownsDataDir ? ['--data-dir'] : []),
    ],
    {
      env: processEnvironment({ ...options, dev: false }),
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      detached: process.platform !== 'win32',
      signal: options.signal,
      killSignal: 'SIGKILL',
    },
  );
  let errors = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    errors += chunk;
  });
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code, signal) => resolve(`its process ended with ${signal ?? `code ${code}`}`));
  });
  const reported = new Promise<Exclude<Prepared, { waiting: string }>>((resolve) => {
    child.on('message', (message: Prepared) => {
      if ('waiting' in message) options.onWaiting(message.waiting);
      else resolve(message);
    });
  });
  const report = await Promise.race([reported, ended.then((fault) => ({ fault }))]);
  if (options.signal.aborted) return null;
  if ('problem' in report) throw new StartError(report.problem);
  if ('fault' in report) {
    await ended;
    const where = errors.trim() ? options.keepLog(errors) : 'For the details, start with LOG_LEVEL=error.';
    throw new StartError(`The database could not be brought up to date (${report.fault}). ${where}`);
  }
  return report.adminLink;
}

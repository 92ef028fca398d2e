import fs from 'node:fs';
import type { BrowserFailure } from '#server/core/number/cause.ts';

/** The session's browser was not started, or has ended before it had a page. */
export class BrowserStartError extends Error {
  override readonly name = 'BrowserStartError';
  readonly failure: BrowserFailure;

  /** `written`: what the browser writes when it is started once more. */
  constructor(cause: Error, written = '') {
    super(`the browser did not start: ${[cause.message, lastLine(written)].filter(Boolean).join('; ')}`, {
      cause,
    });
    this.failure = failureOf(cause, written);
  }
}

/** The system's codes when it does not start a process. */
const BY_CODE: Record<string, BrowserFailure> = {
  ...{ ENOENT: 'missing', EACCES: 'missing', EPERM: 'missing', ENOTDIR: 'missing', ENOEXEC: 'missing' },
  ...{ EMFILE: 'openFiles', ENFILE: 'openFiles' },
  ...{ EAGAIN: 'processes', ENOMEM: 'processes' },
};

function failureOf(cause: Error, written: string): BrowserFailure {
  for (let error: unknown = cause; error instanceof Error; error = error.cause) {
    const known = 'code' in error ? BY_CODE[String(error.code)] : undefined;
    if (known) return known;
  }
  const said = cause.message + written;
  if (/Browser was not found|shared librar/.test(said)) return 'missing';
  if (/Too many open files|EMFILE/.test(said) || hasFewOpenFiles()) return 'openFiles';
  return /Cannot allocate memory|Resource temporarily unavailable/.test(said) ? 'processes' : 'unknown';
}

const lastLine = (text: string): string => text.trim().split('\n').at(-1)?.slice(0, 300) ?? '';

/** With fewer, browsers start or not, depending on what else the worker has open. */
const OPEN_FILES_MIN = 512;

/** How many files a process of ours may have open; null where that is not known. */
export function openFilesMax(): number | null {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(fs.readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return soft === undefined ? null : Number(soft);
  } catch {
    return null;
  }
}

export const hasFewOpenFiles = (max = openFilesMax()): boolean => max !== null && max < OPEN_FILES_MIN;

/** Whether a process could not be started. Node reports this as an event, not to the caller of `spawn`. */
export const isSpawnError = (error: unknown): error is Error =>
  error instanceof Error && 'syscall' in error && String(error.syscall).startsWith('spawn');

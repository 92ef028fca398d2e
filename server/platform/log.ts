import pino from 'pino';
import { loggable } from '#server/core/printable.ts';
import { settings } from '#server/settings.ts';
import { loggedError } from './log-error.ts';

/**
 * JSON lines on stderr (stdout is for a command's output). Fields that could contain a secret or personal data are
 * masked here, long texts are cut and control characters escaped, so that callers need not do it.
 */
const REDACTED = [
  'key',
  'token',
  'password',
  'secret',
  'authorization',
  'cookie',
  'qr',
  'pairingCode',
  'body',
  'caption',
  'content',
  'to',
  'recipient',
  'url',
  'vcard',
];

/** How much of the log waits in memory while its reader is stopped. */
const WAITING_BYTES_MAX = 1024 * 1024;

let dropped = 0;
// A full disk or a closed pipe loses lines, but must not end the process.
process.stderr.on('error', () => {});

/** Writes JSON lines, without the fields in `REDACTED`. Of an error only what names no person (`log-error.ts`). */
export const log = pino(
  {
    level: settings.logLevel,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: (error: unknown) => loggedError(error) },
    formatters: { level: (label) => ({ level: label }) },
    redact: { paths: REDACTED.flatMap((name) => [name, `*.${name}`]), censor: '[redacted]' },
  },
  { write: (line) => writeLogLine(`${loggable(line.trimEnd())}\n`) },
);

export type Log = pino.Logger;

/**
 * Writes a line of the log to standard error. A pipe without a reader never blocks the process: lines wait in
 * memory up to a limit, and later ones are dropped and counted.
 */
function writeLogLine(line: string): void {
  if (process.stderr.writableLength > WAITING_BYTES_MAX) {
    dropped += 1;
    return;
  }
  if (dropped > 0) {
    const record = {
      level: 'warn',
      time: new Date().toISOString(),
      dropped,
      msg: 'log lines were dropped: nobody read the output',
    };
    dropped = 0;
    process.stderr.write(`${JSON.stringify(record)}\n`);
  }
  process.stderr.write(line);
}

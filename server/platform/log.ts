import pino from 'pino';
import { loggable } from '#server/core/printable.ts';
import { settings } from '#server/settings.ts';
import { loggedError } from './log-error.ts';
import { writeLogLine } from './log-output.ts';

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

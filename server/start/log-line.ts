import { clip, loggable } from '../core/printable.ts';

/** One parsed line of a process's output. */
export interface LogLine {
  level: string;
  /** Whether it was plain text, as crashes and libraries write. */
  plain: boolean;
  /** For a person: the message, then the fields. As it came: the code that prints it escapes it. */
  text: string;
  /** For the log file: always a JSON object with `time`, `level` and `msg`, cut and escaped. */
  json: string;
}

const FIELDS_HIDDEN = new Set(['level', 'time', 'msg', 'err']);

/**
 * Reads a line that a process wrote: our own are JSON; what libraries and crashes write is plain text and
 * becomes JSON here.
 *
 * @param plainLevel the level of a line of plain text: `error` from stderr, `info` from stdout.
 */
export function readLogLine(line: string, plainLevel: 'info' | 'error', now = new Date()): LogLine {
  const json = loggable(line);
  const record = parse(json);
  if (!record) {
    const plain = loggable(JSON.stringify({ level: plainLevel, time: now.toISOString(), msg: line }));
    return { level: plainLevel, plain: true, text: clip(line), json: plain };
  }
  const fields = Object.entries(record)
    .filter(([name, value]) => !FIELDS_HIDDEN.has(name) && value !== null && value !== undefined)
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
  const cause = reason(record.err);
  const message = [record.msg, cause].filter((part) => typeof part === 'string' && part !== '').join(': ');
  const text = fields.length > 0 ? `${message} (${fields.join(', ')})` : message;
  return { level: String(record.level), plain: false, text, json };
}

/** Whether a person should see it without asking. */
export const isProblem = ({ level }: LogLine): boolean => ['warn', 'error', 'fatal'].includes(level);

function parse(line: string): Record<string, unknown> | null {
  if (!line.startsWith('{')) return null;
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && 'level' in value
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

/** An error and its causes in one line. */
function reason(error: unknown): string | null {
  if (typeof error !== 'object' || error === null || !('message' in error)) return null;
  const inner = 'cause' in error ? reason(error.cause) : null;
  return [String(error.message), inner].filter(Boolean).join(': ');
}

import { clip, loggable } from '../core/printable.ts';

/** One parsed line of a process's output. */
export interface LogLine {
  level: string;
  /** Whether it was plain text, as crashes and libraries write. */
  plain: boolean;
  /** For a person: the message, then the fields, unescaped. */
  text: string;
  /** For the log file: always a JSON object with `time`, `level` and `msg`, cut and escaped. */
  json: string;
}

const FIELDS_HIDDEN = new Set(['level', 'time', 'msg', 'err']);

/**
 * Parses a line of a process's output. Our own lines are JSON; plain text of libraries and crashes becomes JSON.
 *
 * @param plainLevel The level of plain text: `error` from stderr, `info` from stdout.
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

/** Whether to show it on the terminal by default. */
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

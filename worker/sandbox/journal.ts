import fs from 'node:fs';
import path from 'node:path';

/** One change: a record of a kind and key has this value, or is deleted (null). */
export type Change = readonly [kind: string, key: string, value: unknown];

/**
 * An append-only file of changes, one JSON line each, written synchronously: what `append` has written survives
 * a kill -9, but not necessarily a power cut.
 */
export interface Journal {
  append(change: Change): void;
  /** Replaces the file with these changes, atomically. */
  rewrite(changes: Iterable<Change>): void;
  close(): void;
}

/** The changes in a journal file, oldest first; none if there is no file. Truncated lines are skipped. */
export function readJournal(file: string): Change[] {
  let text: string;
  try {
    text = fs.readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
  return text.split('\n').flatMap((line) => {
    const change = parse(line);
    return change ? [change] : [];
  });
}

export function openJournal(file: string): Journal {
  let descriptor = fs.openSync(file, 'a', 0o600);
  return {
    append(change) {
      // The line break comes first, so that a line truncated by a full disk does not damage the next one.
      fs.writeFileSync(descriptor, `\n${JSON.stringify(change)}`);
    },
    rewrite(changes) {
      const next = `${file}.new`;
      const target = fs.openSync(next, 'w', 0o600);
      let chunk = '';
      for (const change of changes) {
        chunk += `\n${JSON.stringify(change)}`;
        if (chunk.length > 1 << 20) {
          fs.writeFileSync(target, chunk);
          chunk = '';
        }
      }
      fs.writeFileSync(target, chunk);
      fs.fsyncSync(target);
      fs.closeSync(target);
      fs.renameSync(next, file);
      fs.closeSync(descriptor);
      descriptor = fs.openSync(file, 'a', 0o600);
      syncDirectory(path.dirname(file));
    },
    close() {
      fs.closeSync(descriptor);
    },
  };
}

function parse(line: string): Change | null {
  if (line === '') return null;
  try {
    const value: unknown = JSON.parse(line);
    return Array.isArray(value) && value.length === 3 ? (value as unknown as Change) : null;
  } catch {
    return null;
  }
}

function syncDirectory(directory: string): void {
  const descriptor = fs.openSync(directory, 'r');
  try {
    fs.fsyncSync(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
}

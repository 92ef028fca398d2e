import fs from 'node:fs';

const BYTES_MAX = 8 * 1024 * 1024;

export interface LogFile {
  /** Appends a line, whole or not at all. A full disk loses the line, but does not end the process. */
  write(line: string): void;
  close(): void;
}

/** A log that never takes more than twice `bytesMax`: when full it becomes `<path>.1` and a new one begins. */
export function openLogFile(path: string, bytesMax: number = BYTES_MAX): LogFile {
  let closed = false;
  let file = fs.openSync(path, 'a', 0o600);
  let bytes = wholeLines(path, file);

  /** Keeps the open file until there is a new one, because another file could reuse the closed descriptor. */
  function rotate(): void {
    try {
      fs.renameSync(path, `${path}.1`);
    } catch (error) {
      // An earlier attempt got this far, or the file was moved away.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
    const next = fs.openSync(path, 'a', 0o600);
    fs.closeSync(file);
    file = next;
    bytes = fs.fstatSync(file).size;
  }

  function append(data: Buffer): void {
    let written = 0;
    try {
      while (written < data.length) written += fs.writeSync(file, data, written);
    } catch (error) {
      if (written > 0) fs.ftruncateSync(file, bytes);
      throw error;
    }
    bytes += data.length;
  }

  return {
    write(line) {
      if (closed) return;
      const data = Buffer.from(`${line}\n`);
      try {
        if (bytes > 0 && bytes + data.length > bytesMax) rotate();
        append(data);
      } catch {
        // This failure cannot be logged, because the log's own disk is full.
      }
    },
    close() {
      if (!closed) fs.closeSync(file);
      closed = true;
    },
  };
}

/** The size up to the end of the last complete line; a partial line of a crash is cut off. */
function wholeLines(path: string, file: number): number {
  const { size } = fs.fstatSync(file);
  if (size === 0) return 0;
  const content = fs.readFileSync(path);
  const end = content.lastIndexOf('\n') + 1;
  if (end < size) fs.ftruncateSync(file, end);
  return end;
}

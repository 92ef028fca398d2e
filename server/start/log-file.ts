import fs from 'node:fs';

const BYTES_MAX = 8 * 1024 * 1024;

export interface LogFile {
  /** Appends a line. A full disk loses the line, never the process. */
  write(line: string): void;
  close(): void;
}

/** A log that never takes more than twice `bytesMax`: when full it becomes `<path>.1` and begins anew. */
export function openLogFile(path: string, bytesMax: number = BYTES_MAX): LogFile {
  let closed = false;
  let file = fs.openSync(path, 'a', 0o600);
  let bytes = fs.fstatSync(file).size;
  return {
    write(line) {
      // The number of a closed file soon belongs to another one.
      if (closed) return;
      const data = Buffer.from(`${line}\n`);
      try {
        if (bytes > 0 && bytes + data.length > bytesMax) {
          fs.closeSync(file);
          fs.renameSync(path, `${path}.1`);
          file = fs.openSync(path, 'a', 0o600);
          bytes = 0;
        }
        fs.writeSync(file, data);
        bytes += data.length;
      } catch {
        // Nowhere to say it: the disk that is full is the one that logs go to.
      }
    },
    close() {
      if (!closed) fs.closeSync(file);
      closed = true;
    },
  };
}

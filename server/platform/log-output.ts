/** How much of the log waits in memory while its reader is stopped. */
const WAITING_BYTES_MAX = 1024 * 1024;

let dropped = 0;
// A full disk or a closed pipe loses lines, but must not end the process.
process.stderr.on('error', () => {});

/**
 * Writes a line of the log to standard error. A pipe without a reader never blocks the process: lines wait in
 * memory up to a limit, and later ones are dropped and counted.
 */
export function writeLogLine(line: string): void {
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

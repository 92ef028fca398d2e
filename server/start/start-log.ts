import path from 'node:path';
import { openLogFile } from './log-file.ts';

/** Keeps log lines of a start that failed, and returns where to read them, as a sentence. */
export function keepStartLog(dataDir: string, lines: string): string {
  const file = path.join(dataDir, 'logs', 'start.log');
  const log = openLogFile(file);
  log.write(lines.trimEnd());
  log.close();
  return `Read ${file}.`;
}

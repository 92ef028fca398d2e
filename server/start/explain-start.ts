import { diskFull, isDiskFull } from '#server/platform/embedded/home.ts';
import { log } from '#server/platform/log.ts';
import { loggedError } from '#server/platform/log-error.ts';
import { settings } from '../settings.ts';
import { keepStartLog } from './start-log.ts';

/**
 * An unexpected error of a start or a stop, as one line. Its stack is in the log of the start, or for one `separate` process
 * above the line.
 */
export function explainStart(error: Error, { separate }: { separate: boolean }): string {
  if (isDiskFull(error)) return diskFull(settings.dataDir);
  const said = loggedError(error);
  const ended = `Wirebird ended because of an unexpected error (${said.message}).`;
  if (separate) {
    log.fatal({ err: error }, 'ended because of an unexpected error');
    return `${ended} The lines above have the details.`;
  }
  const line = { level: 'fatal', time: new Date().toISOString(), err: said, msg: ended };
  return `${ended} ${keepStartLog(settings.dataDir, JSON.stringify(line))}`;
}

import { commandLine, isRunning, parentOf, processIdentity } from '#server/platform/process/identity.ts';

const LOOK_MS = 500;

/**
 * Calls `onLost` when the npm that started this process has ended. npm signals only the shell between the two,
 * which ends silently; a killed npm leaves both behind. Outside npm a parent may end on purpose, such as a closed
 * terminal.
 */
export function watchNpm(startedByNpm: boolean, onLost: () => void): void {
  if (!startedByNpm || process.platform === 'win32') return;
  const parent = process.ppid;
  const watched = [parent];
  if (/^\S*sh -c /.test(commandLine(parent) ?? '')) {
    const npm = parentOf(parent);
    if (npm !== null && npm > 1) watched.push(npm);
  }
  const identities = watched.flatMap((pid) => processIdentity(pid) ?? []);
  const timer = setInterval(() => {
    if (process.ppid === parent && identities.every(isRunning)) return;
    clearInterval(timer);
    onLost();
  }, LOOK_MS);
  timer.unref();
}

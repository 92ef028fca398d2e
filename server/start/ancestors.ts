import { commandLine, isRunning, parentOf, processIdentity } from '#server/platform/process/identity.ts';

const LOOK_MS = 500;

/**
 * Calls `onLost` when the npm that started us is gone. npm passes a signal to the shell between it and us,
 * and the shell ends without a word; killed outright, npm leaves the shell and us behind. Outside npm the
 * parent means nothing: it may be a terminal that was closed on purpose.
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

import { setTimeout as delay } from 'node:timers/promises';
import { isRunning, pidOf } from './identity.ts';

const POLL_MS = 10;

/**
 * Sends a signal to the process that has this identity and waits until it has ended.
 *
 * @returns false when it still runs after `limitMs`.
 */
export async function endProcess(
  identity: string,
  signal: NodeJS.Signals,
  limitMs: number,
): Promise<boolean> {
  const pid = pidOf(identity);
  if (pid === null || !isRunning(identity)) return true;
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
  const until = performance.now() + limitMs;
  while (isRunning(identity)) {
    if (performance.now() > until) return false;
    await delay(POLL_MS);
  }
  return true;
}

import { childEnvironment } from '../settings.ts';
import { watchNpm } from './watch-npm.ts';

/** Ctrl-C under npm arrives twice within moments: from the terminal and from npm. */
const SAME_REQUEST_MS = 1_000;

export interface StopSignal {
  /** Aborts, with the reason, when the product must stop. */
  signal: AbortSignal;
  /** Resolves with the reason. */
  stopped: Promise<string>;
}

/**
 * Listens for every request to stop the product: Ctrl-C, SIGTERM, a closed terminal, the end of npm.
 *
 * @param onImpatience Called on a second request to stop, while the product is stopping.
 * @param onPause Called on Ctrl-Z, which pauses nothing: the processes have no terminal and would continue without
 * their supervisor.
 */
export function listenForStop(onImpatience: () => void, onPause: () => void = () => {}): StopSignal {
  const controller = new AbortController();
  const { signal } = controller;
  let since = 0;
  const stop = (reason: string) => {
    if (!signal.aborted) {
      since = performance.now();
      controller.abort(reason);
    } else if (performance.now() - since > SAME_REQUEST_MS) {
      onImpatience();
    }
  };
  process.on('SIGINT', () => stop('Ctrl-C'));
  process.on('SIGTERM', () => stop('SIGTERM'));
  process.on('SIGHUP', () => stop('the terminal was closed'));
  if (process.platform !== 'win32') process.on('SIGTSTP', onPause);
  watchNpm(childEnvironment().npm_lifecycle_event !== undefined, () => stop('npm has ended'));
  const stopped = new Promise<string>((resolve) => {
    signal.addEventListener('abort', () => resolve(String(signal.reason)), { once: true });
  });
  return { signal, stopped };
}

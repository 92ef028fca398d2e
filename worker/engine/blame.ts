import { AsyncLocalStorage } from 'node:async_hooks';
import { asError } from './deadline.ts';

/** Gets the errors that the library leaves unhandled for a session. */
export type Blamed = (error: Error) => void;

const running = new AsyncLocalStorage<Blamed>();

/** Runs library code. What it leaves unhandled, now or in a later event, is reported to `blamed`. */
export function blaming<T>(blamed: Blamed, work: () => T): T {
  return running.run(blamed, work);
}

/** Runs our own code that the library has called: its failures are ours. */
export function unblamed<T>(work: () => T): T {
  return running.exit(work);
}

/**
 * For the process's `unhandledRejection`: assigns a rejection to the session whose library code caused it. That
 * session then reports `gone` and restarts alone. False if it came from elsewhere: a bug of ours.
 */
export function pinRejection(reason: unknown): boolean {
  const blamed = running.getStore();
  if (!blamed) return false;
  unblamed(() => blamed(asError(reason)));
  return true;
}

import { AsyncLocalStorage } from 'node:async_hooks';
import { asError } from './deadline.ts';

/** Told what the library let slip for a session. */
export type Blamed = (error: Error) => void;

const running = new AsyncLocalStorage<Blamed>();

/** Runs library code so that whatever it leaves unhandled, now or in an event later on, is told to `blamed`. */
export function blaming<T>(blamed: Blamed, work: () => T): T {
  return running.run(blamed, work);
}

/** Runs code of ours that the library has called: its failures are our own. */
export function unblamed<T>(work: () => T): T {
  return running.exit(work);
}

/**
 * For the process's `unhandledRejection`: pins a rejection on the session whose library code it came from,
 * which then tells `gone` and is started anew, alone. False when it came from elsewhere: a fault of ours.
 */
export function pinRejection(reason: unknown): boolean {
  const blamed = running.getStore();
  if (!blamed) return false;
  unblamed(() => blamed(asError(reason)));
  return true;
}

import { AsyncLocalStorage } from 'node:async_hooks';
import { isSpawnError } from './browser-start-error.ts';
import { asError } from './timeout.ts';

/** Receives the errors that the library leaves unhandled in one session. */
export type LibraryErrorHandler = (error: Error) => void;

const currentHandler = new AsyncLocalStorage<LibraryErrorHandler>();

/** Runs library code. Errors that it leaves unhandled, now or in a later event, go to `onError`. */
export function runLibraryCode<T>(onError: LibraryErrorHandler, work: () => T): T {
  return currentHandler.run(onError, work);
}

/** Runs our own code that the library has called. Its errors are not the library's. */
export function runOwnCode<T>(work: () => T): T {
  return currentHandler.exit(work);
}

/**
 * For the process's `uncaughtException`: passes the error of a browser that could not be started to its session. Returns
 * false for any other error.
 */
export function handleSpawnError(error: unknown): boolean {
  return isSpawnError(error) && handleLibraryRejection(error);
}

/**
 * For the process's `unhandledRejection`: passes a rejection to the session whose library code caused it. Only that
 * session then reports `gone` and restarts. Returns false if our own code caused it.
 */
export function handleLibraryRejection(reason: unknown): boolean {
  const onError = currentHandler.getStore();
  if (!onError) return false;
  runOwnCode(() => onError(asError(reason)));
  return true;
}

import { AppError } from './errors.ts';

/** For what is not there and for what is another account's alike: nobody learns which of the two it was. */
export function notFound(
  what: 'account' | 'number' | 'key' | 'message' | 'sign-in' | 'webhook endpoint' | 'event',
): AppError {
  return new AppError('not_found', `There is no such ${what}.`);
}

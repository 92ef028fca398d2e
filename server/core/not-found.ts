import { AppError } from './errors.ts';

/** The same answer for a missing thing and for another account's, so that it does not reveal which. */
export function notFound(
  what: 'account' | 'number' | 'key' | 'message' | 'sign-in' | 'webhook endpoint' | 'event' | 'request',
): AppError {
  return new AppError('not_found', `There is no such ${what}.`);
}

import { AppError } from '#server/core/errors.ts';

const NUMBERS_MAX = 10_000;

/** Throws `invalid_parameters` for a count of phone numbers that no plan can include. */
export function requireNumbersIncluded(numbers: number): void {
  if (!Number.isInteger(numbers) || numbers < 1 || numbers > NUMBERS_MAX)
    throw new AppError('invalid_parameters', `The numbers included must be 1 to ${NUMBERS_MAX}.`);
}

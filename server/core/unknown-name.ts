import { AppError } from './errors.ts';

/** For a field or filter that does not exist: one that is ignored could be a misspelt one. */
export function unknownName(what: 'field' | 'filter', name: string, names: readonly string[]): AppError {
  const named = name.slice(0, 40).replaceAll(/[^\w-]/g, '?');
  return new AppError(
    'invalid_parameters',
    `There is no ${what} "${named}". The ${what}s are: ${names.join(', ')}.`,
  );
}

import { stripVTControlCharacters } from 'node:util';
import { log } from './log.ts';
import { withoutRecipients } from './log-error.ts';

/**
 * Writes what libraries print as errors and warnings to our log. Libraries would print all properties of an error,
 * such as the parameters of a failed query, with message texts and phone numbers.
 */
export function logWhatOthersPrint(): void {
  for (const level of ['error', 'warn'] as const)
    console[level] = (...args: unknown[]) => log[level]({ err: args.find(isError) }, textOf(args));
}

function textOf(args: unknown[]): string {
  const words = args.map((arg) => {
    if (typeof arg === 'string') return stripVTControlCharacters(arg);
    return isError(arg) ? '' : `[${typeof arg}]`;
  });
  const said = words.join(' ').trim();
  return said === '' ? 'a library has printed an error' : withoutRecipients(said);
}

const isError = (arg: unknown): arg is Error => arg instanceof Error;

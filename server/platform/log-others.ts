import { stripVTControlCharacters } from 'node:util';
import { createLineBudget } from './line-budget.ts';
import { log } from './log.ts';
import { withoutRecipients } from './log-error.ts';

/** Lines per minute: some are about requests of strangers, and more would push older lines out of the log file. */
const LINES_MAX = 600;

/**
 * Writes what libraries print as errors and warnings to our log. Libraries would print all properties of an error,
 * such as the parameters of a failed query, with message texts and phone numbers. If there are too many in a
 * minute, the rest is only counted.
 */
export function logWhatOthersPrint(): void {
  const takes = createLineBudget((_, count) => log.warn({ count }, 'libraries printed more than is listed'));
  for (const level of ['error', 'warn'] as const)
    console[level] = (...args: unknown[]) => {
      if (takes([['libraries', LINES_MAX]], 'libraries'))
        log[level]({ err: args.find(isError) }, textOf(args));
    };
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

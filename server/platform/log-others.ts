import { stripVTControlCharacters } from 'node:util';
import { log } from './log.ts';
import { withoutRecipients } from './log-error.ts';

/**
 * From now on what libraries print as an error or a warning is a line of our own log. They print an error with
 * all that hangs on it, the parameters of a failed query among them, which are texts and numbers of strangers.
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

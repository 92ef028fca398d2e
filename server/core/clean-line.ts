import { AppError } from './errors.ts';

/** Code points that a label or name may have. */
const LINE_CHARS_MAX = 100;

/**
 * A name or label as people type it: trimmed, on one line, without invisible characters.
 * Throws `invalid_parameters` with `what` as the sentence's subject when it is too long.
 */
export function cleanLine(what: string, text: string, charsMax = LINE_CHARS_MAX): string {
  const clean = text
    // Joiners combine emoji; the others of their class reverse or hide text. Half a surrogate pair cannot be stored.
    .replace(/(?!\u200d)[\p{Cf}\p{Cs}]/gu, '')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
  if ([...clean].length > charsMax)
    throw new AppError('invalid_parameters', `${what} may have at most ${charsMax} characters.`);
  return clean;
}

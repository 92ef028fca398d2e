import { AppError } from './errors.ts';

/** Code points that a label or name may have. */
const LINE_CHARS_MAX = 100;

/**
 * A name or label as people may type one: trimmed, on one line, without characters that cannot be seen.
 * Throws `invalid_parameters` with `what` as the sentence's subject when it is too long.
 */
export function cleanLine(what: string, text: string, charsMax = LINE_CHARS_MAX): string {
  const clean = text
    // Joiners make one emoji of several; everything else in this class turns text around or hides it.
    .replace(/(?!\u200d)[\p{Cf}]/gu, '')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
  if ([...clean].length > charsMax)
    throw new AppError('invalid_parameters', `${what} may have at most ${charsMax} characters.`);
  return clean;
}

import { AppError } from './errors.ts';

/** Code points that a label or name may have. */
const LINE_CHARS_MAX = 100;

/** Characters that reverse or hide text. Joiners and tags stay: Persian, Hindi and emoji need them. */
export const HIDING = /(?!\u200c|\u200d|[\u{e0020}-\u{e007f}])\p{Cf}/gu;

/**
 * A name or label as people type it: trimmed, on one line, without invisible characters.
 * Throws `invalid_parameters` with `what` as the sentence's subject when it is too long.
 */
export function cleanLine(what: string, text: string, charsMax = LINE_CHARS_MAX): string {
  const clean = text
    .replace(HIDING, '')
    .replace(/\p{Cs}/gu, '') // half a surrogate pair, which cannot be stored
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
    .replace(/^[\s\p{Cf}]+$/u, '');
  if ([...clean].length > charsMax)
    throw new AppError('invalid_parameters', `${what} may have at most ${charsMax} characters.`);
  return clean;
}

/**
 * What occurs in a text, as numbers: one for each four characters in a row. A text that contains another one has all of
 * its numbers, in every script, so a search skips texts that lack one. Stored, so a change needs all blocks made again.
 */

/** With three, nearly all numbers would occur in each block, because so many messages have digits. */
const LENGTH = 4;
/** Odd, so that different characters give different numbers; any large odd number will do. */
const FACTOR = 0x9e37_79b1;

/** Adds what occurs in a text in lower case. */
export function addGrams(grams: Set<number>, text: string): void {
  for (let at = LENGTH; at <= text.length; at += 1) grams.add(hash(text, at - LENGTH, at));
}

/** What a text must have to contain this one; null if it is too short to tell. */
export function gramsOf(text: string): number[] | null {
  const grams = new Set<number>();
  addGrams(grams, text);
  return grams.size === 0 ? null : [...grams];
}

/** Says whose text it is, beside what occurs in it. */
export const ownerGram = (id: string): number => hash(id, 0, id.length);

/** Fits PostgreSQL's `integer`. */
function hash(text: string, from: number, to: number): number {
  let value = 0;
  for (let at = from; at < to; at += 1) value = Math.imul(value + text.charCodeAt(at), FACTOR);
  return value;
}

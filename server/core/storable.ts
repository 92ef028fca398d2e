/**
 * The start of a text as PostgreSQL can store it: no NUL, and no half of a surrogate pair, which its JSON refuses.
 * Cutting may halve a pair, so it comes first.
 */
export function storableStart(text: string, charsMax: number): string {
  return text.slice(0, charsMax).toWellFormed().replaceAll('\0', '\uFFFD');
}

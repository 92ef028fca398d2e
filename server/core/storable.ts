/**
 * The start of a text as PostgreSQL can store it: no NUL, and no half of a surrogate pair, which its JSON refuses.
 * Cutting may halve a pair, so it comes first.
 */
export function storableStart(text: string, charsMax: number): string {
  return text.slice(0, charsMax).toWellFormed().replaceAll('\0', '\uFFFD');
}

/** Whether a time is in the years 1 to 9999, in UTC: PostgreSQL does not read others as JavaScript writes them. */
export function isStorableTime(text: string): boolean {
  const year = new Date(text).getUTCFullYear();
  return year >= 1 && year <= 9999;
}

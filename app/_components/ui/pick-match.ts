const plain = (text: string) =>
  text
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase();

/** Does every word of `query` stand somewhere in `text`? Case and accents make no difference. */
export function matches(query: string, text: string): boolean {
  const within = plain(text);
  return plain(query)
    .split(/\s+/)
    .every((word) => within.includes(word));
}

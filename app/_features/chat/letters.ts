/** Initials, at most two, in place of a picture. */
export function letters(name: string): string {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  return (
    words
      .slice(0, 2)
      .map((word) => [...word][0])
      .join('')
      .toUpperCase() || '?'
  );
}

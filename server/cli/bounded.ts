import { plural } from '#server/operations/lost-text.ts';

const SHOWN_MAX = 10;

/** The lines of the first ten items, and how many more there are. */
export function bounded<Item>(
  items: readonly Item[],
  linesOf: (item: Item) => string[],
  indent: string,
  [one, many]: [string, string],
): string[] {
  const more = items.length - SHOWN_MAX;
  const lines = items.slice(0, SHOWN_MAX).flatMap(linesOf);
  return more > 0 ? [...lines, `${indent}and ${plural(more, `more ${one}`, `more ${many}`)}`] : lines;
}

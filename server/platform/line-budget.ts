import { log } from './log.ts';

const MINUTE_MS = 60_000;
/** Lines per minute. More would push older ones out of the log file, so the rest is only counted. */
const OF_ADDRESS = 60;
const OF_STRANGERS = 600;

type Bound = [name: string, linesMax: number];
export const STRANGERS = 'strangers';

/** The names and limits under which lines about unknown callers are counted. */
export const strangerBounds = (address: string): Bound[] => [
  [address, OF_ADDRESS],
  [STRANGERS, OF_STRANGERS],
];

/**
 * Counts lines under each of their names and returns whether a line may still be written this minute. After each
 * minute, calls `left` with the number of unwritten lines of each `whose`.
 */
export function createLineBudget(
  left: (whose: string, count: number) => void,
): (bounds: Bound[], whose: string) => boolean {
  const lines = new Map<string, number>();
  const unlisted = new Map<string, number>();
  let counting = false;

  function endMinute(): void {
    for (const [whose, count] of unlisted) left(whose, count);
    lines.clear();
    unlisted.clear();
    counting = false;
  }

  return (bounds, whose) => {
    if (!counting) setTimeout(endMinute, MINUTE_MS).unref();
    counting = true;
    const full = bounds.some(([name, linesMax]) => (lines.get(name) ?? 0) >= linesMax);
    if (full) unlisted.set(whose, (unlisted.get(whose) ?? 0) + 1);
    else for (const [name] of bounds) lines.set(name, (lines.get(name) ?? 0) + 1);
    return !full;
  };
}

/** Writes a line about a visitor of the pages, within the budget of this log. */
export function createVisitorLog(): (
  fields: { from: string | null } & Record<string, unknown>,
  message: string,
) => void {
  const takes = createLineBudget((_, count) =>
    log.warn({ count }, 'more requests of visitors were refused than are listed'),
  );
  return (fields, message) => {
    if (takes(strangerBounds(fields.from ?? 'unknown'), STRANGERS)) log.info(fields, message);
  };
}

export const logVisitor = createVisitorLog();

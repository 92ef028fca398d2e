/**
 * Callers who left before their answer was written, and of whom that is not in their message's row yet, by
 * number. A repeat of what one of them asked for joins that row, so it comes after the note.
 */
const departures = new Map<string, Set<Promise<unknown>>>();

/** Counts `noted` as the departure of one of a number's callers until it is settled. */
export function trackDisconnect(numberId: string, noted: Promise<unknown>): void {
  const ofNumber = departures.get(numberId) ?? new Set();
  departures.set(numberId, ofNumber.add(noted));
  const over = () => {
    ofNumber.delete(noted);
    if (ofNumber.size === 0 && departures.get(numberId) === ofNumber) departures.delete(numberId);
  };
  noted.then(over, over);
}

/** Resolves when every departure that has begun on any number is noted, or could not be. Never rejects. */
export async function allDisconnectsRecorded(): Promise<void> {
  await Promise.allSettled([...departures.values()].flatMap((ofNumber) => [...ofNumber]));
}

/** Resolves when every departure that has begun on the number is noted, or could not be. Never rejects. */
export async function disconnectsRecorded(numberId: string): Promise<void> {
  await Promise.allSettled(departures.get(numberId) ?? []);
}

/**
 * By number: the hang-ups that are being written to the rows of their messages. A repeat of such a request joins
 * the row, so it waits until the hang-up is written.
 */
const hangUps = new Map<string, Set<Promise<unknown>>>();

/** Tracks that a caller of the number hung up; `recorded` settles once the hang-up is written. */
export function trackHangUp(numberId: string, recorded: Promise<unknown>): void {
  const ofNumber = hangUps.get(numberId) ?? new Set();
  hangUps.set(numberId, ofNumber.add(recorded));
  const over = () => {
    ofNumber.delete(recorded);
    if (ofNumber.size === 0 && hangUps.get(numberId) === ofNumber) hangUps.delete(numberId);
  };
  recorded.then(over, over);
}

/** Resolves when every hang-up so far is recorded or could not be. Never rejects. */
export async function allHangUpsRecorded(): Promise<void> {
  await Promise.allSettled([...hangUps.values()].flatMap((ofNumber) => [...ofNumber]));
}

/**
 * The same for one number: for the hang-ups that are tracked when it is called. False if that takes longer than
 * `withinMs`, because the database is out of reach.
 */
export async function hangUpsRecorded(numberId: string, withinMs: number): Promise<boolean> {
  const pending = hangUps.get(numberId);
  if (!pending) return true;
  const late = Promise.withResolvers<false>();
  const timer = setTimeout(late.resolve, withinMs, false);
  const recorded = Promise.allSettled(pending).then(() => true);
  return Promise.race([recorded, late.promise]).finally(() => clearTimeout(timer));
}

/** Whoever has waited this long goes without having had its turn: what holds the others up may hold nothing else. */
const TURN_MS = 8000;

/** The last of those who wait for each key. */
const lastOf = new Map<string, Promise<void>>();

/**
 * Does the works of one key one after another, those of different keys side by side. For what would wait for
 * one lock in the database anyway: only one of them then holds a connection while it waits, so that the
 * callers of a busy number do not take all connections away from those of the others.
 */
export async function inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
  const before = lastOf.get(key);
  const { promise: mine, resolve: over } = Promise.withResolvers<void>();
  lastOf.set(key, mine);
  try {
    if (before) await comesBefore(before);
    return await work();
  } finally {
    over();
    if (lastOf.get(key) === mine) lastOf.delete(key);
  }
}

/** Resolves when it is over, or when that has taken too long. */
function comesBefore(before: Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const enough = setTimeout(resolve, TURN_MS);
    void before.then(() => {
      clearTimeout(enough);
      resolve();
    });
  });
}

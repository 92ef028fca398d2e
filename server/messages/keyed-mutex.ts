import { AppError } from '#server/core/errors.ts';
import { OUTCOMES } from '#server/core/outcomes.ts';

/** A caller stops waiting after this time. */
const TURN_MS = 8000;
/** No number takes as many messages in the time that its callers wait. */
const LINE_MAX = 1000;
/** Those who are refused do not come back together. */
const RETRY_SECONDS = { min: 2, max: 10 };

interface Line {
  /** The end of the last of those who wait. */
  last: Promise<void>;
  length: number;
  /** When one of them last came to its end. */
  endedAtMs: number;
}

const lines = new Map<string, Line>();

/**
 * Does the works of one key one after another, those of different keys side by side. For what would wait for
 * one lock in the database anyway: only one of them then holds a connection while it waits, so that the
 * callers of a busy number do not take all connections away from those of the others.
 *
 * Throws `queue_full` where the line is too long. What holds up a line that does not move may hold nothing else: a caller that
 * has waited long enough in one goes without having had its turn.
 */
export async function keyedMutex<T>(key: string, work: () => Promise<T>): Promise<T> {
  const line = lines.get(key) ?? { last: Promise.resolve(), length: 0, endedAtMs: Number.NEGATIVE_INFINITY };
  if (line.length >= LINE_MAX) throw tooMany();
  lines.set(key, line);
  const before = line.last;
  const { promise: mine, resolve: over } = Promise.withResolvers<void>();
  line.last = mine;
  line.length += 1;
  const first = line.length === 1;
  const sinceMs = performance.now();
  try {
    if (!first && !(await comesBefore(before)) && line.endedAtMs > sinceMs) {
      // Those behind wait for what is before, as they did.
      void before.then(over);
      throw tooMany();
    }
    try {
      return await work();
    } finally {
      line.endedAtMs = performance.now();
      over();
    }
  } finally {
    line.length -= 1;
    if (line.length === 0) lines.delete(key);
  }
}

function tooMany(): AppError {
  const { min, max } = RETRY_SECONDS;
  const retryAfterSeconds = min + Math.floor(Math.random() * (max - min + 1));
  return new AppError('queue_full', OUTCOMES.queue_full.says.atOnce(retryAfterSeconds), {
    retryAfterSeconds,
  });
}

/** Resolves to true when it is over, to false when that takes too long. */
function comesBefore(before: Promise<void>): Promise<boolean> {
  return new Promise((resolve) => {
    const enough = setTimeout(() => resolve(false), TURN_MS);
    void before.then(() => {
      clearTimeout(enough);
      resolve(true);
    });
  });
}

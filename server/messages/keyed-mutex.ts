import { AppError } from '#server/core/errors.ts';
import { OUTCOMES } from '#server/core/outcomes.ts';

/** A caller stops waiting after this time. */
const TURN_MS = 8000;
/** More callers than a number can serve while they wait. */
const LINE_MAX = 1000;
/** Spreads the retries of refused callers. */
const RETRY_SECONDS = { min: 2, max: 10 };

interface Line {
  /** Settles when the last caller in the line has finished. */
  last: Promise<void>;
  length: number;
  /** When a caller of the line last finished. */
  endedAtMs: number;
}

const lines = new Map<string, Line>();

/**
 * Runs the work of one key in order, and that of different keys concurrently. Work that needs the same database
 * lock thus holds one connection, not one per waiter, so that a busy number's callers leave connections for
 * others. Throws `queue_full` if the line is too long or does not move.
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
      // Callers behind this one still wait for the callers before it.
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

/** Resolves to true when `before` has settled, to false if that takes too long. */
function comesBefore(before: Promise<void>): Promise<boolean> {
  return new Promise((resolve) => {
    const enough = setTimeout(() => resolve(false), TURN_MS);
    void before.then(() => {
      clearTimeout(enough);
      resolve(true);
    });
  });
}

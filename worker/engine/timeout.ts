/** A call took too long. Its later result is ignored. */
export class TimeoutError extends Error {
  override readonly name = 'TimeoutError';
}

/** Settles as `work` does, or rejects with {@link TimeoutError} after `ms`. */
export async function withTimeout<T>(ms: number, what: string, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TimeoutError(`${what}: no answer within ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** The library also rejects with strings; anything thrown becomes an Error with a message. */
export function asError(thrown: unknown): Error {
  if (thrown instanceof Error) return thrown;
  return new Error(typeof thrown === 'string' ? thrown : `a failure without a message: ${String(thrown)}`);
}

/** A call was given up; its later result is ignored. */
export class DeadlineError extends Error {
  override readonly name = 'DeadlineError';
}

/** Settles as `work` does, or rejects with {@link DeadlineError} after `ms`. */
export async function within<T>(ms: number, what: string, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new DeadlineError(`${what}: no answer within ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([work, deadline]);
  } finally {
    clearTimeout(timer);
  }
}

/** The library also rejects with strings; anything thrown becomes an Error with a message. */
export function asError(thrown: unknown): Error {
  if (thrown instanceof Error) return thrown;
  return new Error(typeof thrown === 'string' ? thrown : `a failure without a message: ${String(thrown)}`);
}

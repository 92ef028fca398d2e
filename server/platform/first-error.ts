/** The error that came first. A failed clean-up after it must not hide it. */
export function firstError(error: unknown): unknown {
  return error instanceof SuppressedError ? firstError(error.suppressed) : error;
}

import { AppError } from '#server/core/errors.ts';
import type { NumberStatusError } from '#server/core/number-status-errors.ts';

/** The error for a caller that is refused: nothing was sent. */
export function refused(error: NumberStatusError, extra: { messageId?: string } = {}): AppError {
  const { code, message, ...details } = error;
  return new AppError(code, message, { sendOutcome: 'not_sent', ...details, ...extra });
}

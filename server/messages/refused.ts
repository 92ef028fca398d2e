import { AppError } from '#server/core/errors.ts';
import type { Refusal } from '#server/core/number-refusals.ts';

/** The error for a caller that is refused: nothing was sent. */
export function refused(refusal: Refusal, extra: { messageId?: string } = {}): AppError {
  const { code, message, ...details } = refusal;
  return new AppError(code, message, { sendOutcome: 'not_sent', ...details, ...extra });
}

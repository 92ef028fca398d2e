import { AppError } from '#server/core/errors.ts';
import { type NumberStatus, retryAfterSeconds } from '#server/core/number-state.ts';

/** The 409 of a number in this state, with when to repeat where it mends itself. */
export function notConnected(status: NumberStatus, extra: { messageId?: string } = {}): AppError {
  const retry = retryAfterSeconds(status);
  const what =
    retry === null
      ? 'Open the number in the dashboard to see why and link it.'
      : 'It is being restored by itself; repeat the request.';
  return new AppError('not_connected', `The number is not connected (${status}). ${what}`, {
    numberStatus: status,
    sendOutcome: 'not_sent',
    ...(retry === null ? {} : { retryAfterSeconds: retry }),
    ...extra,
  });
}

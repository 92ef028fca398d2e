import { AppError } from '#server/core/errors.ts';
import { type NumberStatus, retryAfterSeconds } from '#server/core/number-state.ts';

/** The 409 of a number in this state, with when to repeat where it mends itself. */
export function notConnected(status: NumberStatus, extra: { messageId?: string } = {}): AppError {
  const retry = retryAfterSeconds(status);
  return new AppError('not_connected', `The number is not connected (${status}). ${whatToDo(status)}`, {
    numberStatus: status,
    sendOutcome: 'not_sent',
    ...(retry === null ? {} : { retryAfterSeconds: retry }),
    ...extra,
  });
}

function whatToDo(status: NumberStatus): string {
  if (status === 'SUSPENDED')
    return 'The administrator has suspended it; the dashboard says why, and only they can resume it.';
  return retryAfterSeconds(status) === null
    ? 'Open the number in the dashboard to see why and link it.'
    : 'It is being restored by itself; repeat the request.';
}

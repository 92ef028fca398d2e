import { accessMessage } from './access.ts';
import { type SendConditions, stopOf } from './number-sign.ts';
import { type NumberStatus, retryAfterSeconds } from './number-state.ts';
import type { Lane } from './pacing/lanes.ts';

/** The error of a request that the number's plan, state or hold refuses. */
export interface NumberStatusError {
  code: 'plan_inactive' | 'not_connected';
  message: string;
  numberStatus?: NumberStatus;
  retryAfterSeconds?: number;
}

/** The error with which the API refuses a new message now; null if it accepts it. A held number accepts async messages. */
export function numberStatusErrorOf(number: SendConditions, lane: Lane): NumberStatusError | null {
  const { access, status } = number;
  switch (stopOf(number)) {
    case null:
      return null;
    case 'access':
      return access === 'ok' ? null : { code: 'plan_inactive', message: accessMessage(access) };
    case 'status':
      return notConnectedError(number);
    case 'held':
      if (lane === 'async') return null;
      return {
        code: 'not_connected',
        message:
          'This number is on hold. Nothing was sent. Release it in the dashboard, or send with "Prefer: respond-async" to let the message wait.',
        numberStatus: status,
      };
  }
}

/**
 * The error of a number in this state, with `Retry-After` if the state ends automatically. `nothing`: what was not
 * done.
 */
export function notConnectedError(
  number: Pick<SendConditions, 'status' | 'blockedLeftMs'>,
  nothing = 'Nothing was sent.',
): NumberStatusError {
  const { status } = number;
  const retry = retryAfterSeconds(number);
  return {
    code: 'not_connected',
    message: `The number is not connected (${status}). ${nothing} ${todoOf(status, retry !== null)}`,
    numberStatus: status,
    ...(retry === null ? {} : { retryAfterSeconds: retry }),
  };
}

function todoOf(status: NumberStatus, endsAutomatically: boolean): string {
  if (status === 'SUSPENDED')
    return 'The administrator suspended it, and only they can resume it. The dashboard shows the reason.';
  if (!endsAutomatically) return 'Open the number in the dashboard to see why and link it.';
  return status === 'BLOCKED'
    ? 'WhatsApp has blocked it for a limited time. It reconnects automatically after that. Wait for Retry-After, then repeat the request.'
    : 'It is reconnecting automatically. Wait for Retry-After, then repeat the request.';
}

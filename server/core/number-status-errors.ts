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
          'This number is on hold. Release it in the dashboard, or send with "Prefer: respond-async" to let the message wait.',
        numberStatus: status,
      };
  }
}

/** The error of a number in this state, with `Retry-After` if the state ends automatically. */
export function notConnectedError(
  number: Pick<SendConditions, 'status' | 'blockedLeftMs'>,
): NumberStatusError {
  const { status } = number;
  const retry = retryAfterSeconds(number);
  return {
    code: 'not_connected',
    message: `The number is not connected (${status}). ${todoOf(status, retry !== null)}`,
    numberStatus: status,
    ...(retry === null ? {} : { retryAfterSeconds: retry }),
  };
}

function todoOf(status: NumberStatus, endsAutomatically: boolean): string {
  if (status === 'SUSPENDED')
    return 'The administrator has suspended it; the dashboard shows the reason, and only they can resume it.';
  if (!endsAutomatically) return 'Open the number in the dashboard to see why and link it.';
  return status === 'BLOCKED'
    ? 'WhatsApp has blocked it until a known time, and it connects again automatically after that.'
    : 'It is reconnecting automatically. Retry the request.';
}

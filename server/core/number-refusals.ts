import { accessMessage } from './access.ts';
import { type SendConditions, stopOf } from './number-sign.ts';
import { type NumberStatus, retryAfterSeconds } from './number-state.ts';
import type { Lane } from './pacing/lanes.ts';

/** How a request is refused. */
export interface Refusal {
  code: 'plan_inactive' | 'not_connected';
  message: string;
  numberStatus?: NumberStatus;
  retryAfterSeconds?: number;
}

/** Why the API refuses a new message now; null if it accepts it. A held number still accepts async messages. */
export function refusalOf(number: SendConditions, lane: Lane): Refusal | null {
  const { access, status } = number;
  switch (stopOf(number)) {
    case null:
      return null;
    case 'access':
      return access === 'ok' ? null : { code: 'plan_inactive', message: accessMessage(access) };
    case 'status':
      return notConnected(number);
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

/** The refusal of a number in this state, with `Retry-After` if the state ends automatically. */
export function notConnected(number: Pick<SendConditions, 'status' | 'blockedLeftMs'>): Refusal {
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

import type { Access } from './access.ts';
import type { SessionStop } from './number/cause.ts';
import type { NumberStatus } from './number-state.ts';

export interface SendConditions {
  access: Access;
  /** The state that readers see (`shownStatus`). */
  status: NumberStatus;
  /** Held by its owner. */
  held: boolean;
  /** While it is BLOCKED: the time until it connects again automatically. None if a person has to act. */
  blockedLeftMs?: number | null;
}

/** What keeps sync messages from being sent, in the order in which the API checks; null if nothing does. */
export type Stop = 'access' | 'status' | 'held';

export function stopOf({ access, status, held }: SendConditions): Stop | null {
  if (access !== 'ok') return 'access';
  if (status !== 'CONNECTED') return 'status';
  return held ? 'held' : null;
}

/** What a number is shown as: its state, or why it sends nothing although it is connected. */
export type NumberSign = NumberStatus | 'HELD' | 'STOPPED' | 'PLAN_STOPPED' | 'TRIAL_STOPPED' | 'EXCESS';

export function signOf(number: SendConditions & { sessionStop?: SessionStop | null }): NumberSign {
  if (number.sessionStop) return number.sessionStop === 'plan' ? 'PLAN_STOPPED' : 'TRIAL_STOPPED';
  if (number.access === 'excess') return 'EXCESS';
  if (number.status !== 'CONNECTED') return number.status;
  if (number.access !== 'ok') return 'STOPPED';
  return number.held ? 'HELD' : 'CONNECTED';
}

export const NUMBER_NAMES: Record<NumberSign, string> = {
  UNLINKED: 'Not linked',
  LINKING: 'Waiting for the phone',
  SYNCING: 'Syncing',
  CONNECTED: 'Connected',
  RECONNECTING: 'Reconnecting',
  LOGGED_OUT: 'Logged out',
  CONFLICT: 'Open elsewhere',
  BLOCKED: 'Blocked by WhatsApp',
  SUSPENDED: 'Suspended',
  HELD: 'On hold',
  STOPPED: 'Stopped',
  PLAN_STOPPED: 'Stopped: plan ended',
  TRIAL_STOPPED: 'Idle',
  EXCESS: 'Not in the plan',
};

/** Does a person have to act before this number sends again? */
export function needsSomebody({ status }: Pick<SendConditions, 'status'>): boolean {
  return status === 'LOGGED_OUT' || status === 'CONFLICT' || status === 'BLOCKED';
}

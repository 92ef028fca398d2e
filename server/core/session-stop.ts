import { LINK_KEPT_DAYS } from './access.ts';
import { TRIAL } from './trial.ts';

/** Why a linked number's session is stopped on purpose, with the sentence for its owner. Its link is kept. */
export const SESSION_STOPS = {
  plan: `The plan ended more than ${LINK_KEPT_DAYS} days ago, so the session was stopped. Its link is kept: it starts again when the plan is renewed.`,
  trial: `The trial session stopped after ${TRIAL.idleMinutes} minutes without use. Its link is kept: it starts again in a few seconds.`,
} as const;

export type SessionStop = keyof typeof SESSION_STOPS;

/** The reasons as stored in a number's row. */
export const SESSION_STOP_REASONS: readonly string[] = Object.values(SESSION_STOPS);

/** Which stop a stored reason names; null for any other reason. */
export function sessionStopOf(statusReason: string | null): SessionStop | null {
  if (statusReason === SESSION_STOPS.plan) return 'plan';
  return statusReason === SESSION_STOPS.trial ? 'trial' : null;
}

import type { Network, NumberIntent, NumberStatus } from '../number-state.ts';

/** What a worker needs to know about a number whose session it runs. */
export interface SessionRow {
  numberId: string;
  accountId: string;
  network: Network;
  status: NumberStatus;
  intent: NumberIntent;
  intentRevision: number;
  label: string;
  phoneNumber: string | null;
  pairingPhone: string | null;
  /** The phone that may replace the linked one. */
  replacementPhone: string | null;
  removed: boolean;
  sendIntervalSeconds: number;
  /** Its intervals are irregular, and it pauses after refusals. */
  protected: boolean;
  /** The time left for linking, in ms on the database's clock; null if linking is not open. */
  linkLeftMs: number | null;
  /** The same until its codes end because nobody has looked at them; null if that never happens. */
  unseenLeftMs: number | null;
  /** The time left of a planned move, in ms on the database's clock; null or negative without one. */
  moveLeftMs: number | null;
  /** The time left of WhatsApp's refusal, in ms on the database's clock; null if its end is not known. */
  blockedLeftMs: number | null;
  /** Its owner waits for the list of its groups. */
  groupsAsked: boolean;
  /** An operator waits for a self-test of its page. */
  pageCheckAsked: boolean;
  /** Phones wait to be looked up. */
  checksAsked: boolean;
  /** Its owner has done something about a passkey. */
  passkeyReplied: boolean;
  /** Why its session is stopped on purpose; null if it may run. */
  sessionStop: 'plan_ended' | 'trial_idle' | null;
  /** The build that it should try, with a name for this request; null when there is none. */
  buildToTry: { version: string; wish: string } | null;
}

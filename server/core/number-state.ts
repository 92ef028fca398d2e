/** The connection states of a number, as `GET /v1/status` shows them. */
export const NUMBER_STATUSES = [
  'UNLINKED', // never linked, or unlinked in the dashboard
  'LINKING', // a QR or pairing code is being shown
  'SYNCING', // linked, not ready yet
  'CONNECTED',
  'RECONNECTING', // the session was lost and is being restored automatically
  'LOGGED_OUT', // the link is gone: removed on the phone, or lost
  'CONFLICT', // opened elsewhere
  'BLOCKED', // refused by WhatsApp
  'SUSPENDED', // by the administrator
] as const;
export type NumberStatus = (typeof NUMBER_STATUSES)[number];

/** The intended state of a number, which the worker brings about. */
export const NUMBER_INTENTS = [
  'idle', // no browser
  'link', // show a QR or pairing code until the linking's deadline
  'run', // keep the linked session alive
  'unlink', // log the device out, then idle
] as const;
export type NumberIntent = (typeof NUMBER_INTENTS)[number];

/** `sandbox`: the simulated WhatsApp, for tests and trials. */
export const NETWORKS = ['whatsapp', 'sandbox'] as const;
export type Network = (typeof NETWORKS)[number];

/** A number whose lease was last renewed this long ago is shown as not connected. */
export const LEASE_SILENCE_MS = 12_000;
/** Linking ends after this time unscanned. */
export const LINKING_MS = 5 * 60_000;

/**
 * Without a screen that shows them, codes end after this. A pairing code is typed on the phone that may have shown it, so
 * it lasts as long as WhatsApp accepts it; no further one follows.
 */
export const UNSEEN_MS = { qr: 45_000, code: 180_000 } as const;
/** WhatsApp accepts a pairing code for this long. */
export const PAIRING_CODE_MS = 3 * 60_000;

export interface StoredNumberState {
  status: NumberStatus;
  suspended: boolean;
  /** The time since the lease's last renewal, on the database's clock; null without a lease. */
  leaseSilentMs: number | null;
  /** The time left of a planned move, on the database's clock; null without one. */
  moveGraceMs: number | null;
}

/** The state to show: the row's, unless its worker has been silent for too long. */
export function shownStatus(state: StoredNumberState): NumberStatus {
  if (state.suspended) return 'SUSPENDED';
  const live = state.status === 'CONNECTED' || state.status === 'SYNCING';
  if (!live) return state.status;
  if (state.moveGraceMs !== null && state.moveGraceMs > 0) return state.status;
  if (state.leaseSilentMs === null || state.leaseSilentMs >= LEASE_SILENCE_MS) return 'RECONNECTING';
  return state.status;
}

/** A number that connects again is connected after about this time. */
const RECONNECTING_SECONDS = 15;

/** Whole seconds after which a retry can succeed; null if a person has to act first. */
export function retryAfterSeconds({
  status,
  blockedLeftMs = null,
}: {
  status: NumberStatus;
  blockedLeftMs?: number | null;
}): number | null {
  if (status === 'RECONNECTING') return RECONNECTING_SECONDS;
  if (status === 'BLOCKED' && blockedLeftMs !== null)
    return Math.ceil(Math.max(0, blockedLeftMs) / 1000) + RECONNECTING_SECONDS;
  return status === 'SYNCING' ? 10 : null;
}

/**
 * The interval between two dispatches of a number. Two guards keep it, in this order: `IntervalGuard` on the
 * worker's monotonic clock (`worker/numbers/dispatch/interval-guard.ts`), then the claim in SQL on the database's clock
 * (`server/messages/queries/claim.ts`). Lanes decide which message gets a slot (`lanes.ts`).
 */
export const SEND_INTERVAL_SECONDS = { min: 5, max: 600, default: 8 } as const;

/** A protected number's intervals are up to this much longer, and never shorter. */
const SPREAD = 0.3;

/** The interval as the owner set it, and whether it is irregular. */
export interface SendPace {
  sendIntervalSeconds: number;
  protected: boolean;
}

/** One interval, in ms. `random`: 0 for the shortest, 1 for the longest, 0.5 for the mean. */
export function intervalMs(pace: SendPace, random: number): number {
  return Math.round(pace.sendIntervalSeconds * 1000 * (1 + (pace.protected ? random * SPREAD : 0)));
}

/** The longest interval, in whole seconds. */
export function longestIntervalSeconds(pace: SendPace): number {
  return Math.ceil(intervalMs(pace, 1) / 1000);
}

/** The interval in seconds: `8`, or `8 to 11` if it is irregular. */
export function intervalText(pace: SendPace): string {
  const { sendIntervalSeconds } = pace;
  const longest = longestIntervalSeconds(pace);
  return longest === sendIntervalSeconds ? `${longest}` : `${sendIntervalSeconds} to ${longest}`;
}

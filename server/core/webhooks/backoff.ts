/** An endpoint that fails for this many days is switched off. */
export const FAILING_DAYS_MAX = 3;
/** After this many failures in a row, an endpoint gets one attempt at a time, until one succeeds. */
export const FAILURES_IN_A_ROW = 5;
/** Later events of a message wait for an earlier one until it has failed this many times. */
export const ATTEMPTS_IN_ORDER = 3;

const FIRST_MS = 5000;
const LONGEST_MS = 12 * 3_600_000;

/**
 * How long an endpoint wants no request, by the header `Retry-After` of its answer: seconds or a date. At most as long
 * as the longest wait after failures. Null if it asks for no wait.
 */
export function retryAfterMs(header: string, now: number): number | null {
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now;
  return ms > 0 ? Math.min(LONGEST_MS, ms) : null;
}

/**
 * The time from a failed attempt to the next one: doubles from 5 seconds to 12 hours, and up to a fifth more, so
 * that endpoints that failed together are not retried together.
 * @param attempts How many have failed, 1 or more.
 * @param random From 0 to 1.
 */
export function backoffMs(attempts: number, random = Math.random()): number {
  const doubled = Math.min(LONGEST_MS, FIRST_MS * 2 ** (attempts - 1));
  return Math.round(doubled * (1 + random / 5));
}

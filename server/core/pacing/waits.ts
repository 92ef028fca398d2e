import { intervalMs, type SendPace } from './interval.ts';

/** A sync request is admitted when its estimated slot is within this time. */
export const ADMISSION_WINDOW_MS = 40_000;
/** How long a sync message may wait for its slot, in ms: `X-Expires-In` can only shorten it. */
export function syncWindowMs({ expiresInSeconds }: { expiresInSeconds?: number | null }): number {
  return Math.min(ADMISSION_WINDOW_MS, (expiresInSeconds ?? Number.POSITIVE_INFINITY) * 1000);
}
/** A dispatch without acknowledgement for this long is unknown. */
export const ACK_TIMEOUT_MS = 30_000;
/** Every sync request is answered within this time of its arrival; proxies give up at 60 s. */
export const ANSWER_WITHIN_MS = 55_000;
/** At most so many turns of other messages are counted, to say why a message waited. */
export const TURNS_MAX = 100;
/** How long an async message waits at most, unless `X-Expires-In` says less. */
export const ASYNC_DEADLINE_SECONDS = 24 * 60 * 60;

/**
 * The interval begins at the claim and again at the acknowledgement, so each slot comes about this much later than
 * one interval after the claim before. Without it, a message admitted for the last slot would miss its deadline.
 */
const SLOT_LATE_MS = 250;

/**
 * The wait until a message's slot, in ms. `slotInMs`: until the number's next slot, 0 or less when it is free now;
 * `ahead`: how many messages are sent before it; `random`: the assumed length of irregular intervals, from 0 to 1.
 */
export function estimateWaitMs(params: {
  slotInMs: number;
  ahead: number;
  pace: SendPace;
  random: number;
}): number {
  const { slotInMs, ahead, pace, random } = params;
  // A slot more than an interval ahead was written by a wrong clock.
  const nextMs = Math.min(Math.max(0, slotInMs), intervalMs(pace, 1));
  return nextMs + ahead * (intervalMs(pace, random) + SLOT_LATE_MS);
}

/**
 * The slots of messages that are due at these times: one interval apart and after `freeInMs`, all in ms from now.
 */
export function turnsOf(dueInMs: readonly number[], freeInMs: number, intervalMs: number): number[] {
  let next = freeInMs;
  return dueInMs.map((due) => {
    const turn = Math.max(due, next);
    next = turn + intervalMs;
    return turn;
  });
}

/**
 * `Retry-After` for a refused sync request: whole seconds until its slot is near enough, spread over half as much
 * again so that refused callers do not retry together. `random` is in [0, 1).
 */
export function retryAfterRefusal(waitMs: number, random: number, windowMs = ADMISSION_WINDOW_MS): number {
  const overMs = Math.max(0, waitMs - windowMs);
  return Math.max(1, Math.ceil(overMs / 1000 + random * Math.max(2, overMs / 2000)));
}

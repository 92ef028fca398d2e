/** The pause between two dispatches on one number, in seconds. */
export const SEND_INTERVAL_SECONDS = { min: 5, max: 600, default: 8 } as const;

/** A plain request is admitted when its estimated slot is within this time. */
export const ADMISSION_WINDOW_MS = 40_000;
/** A dispatch without acknowledgement for this long is unknown. */
export const ACK_TIMEOUT_MS = 30_000;
/** Every plain request is answered within this time of its arrival; proxies give up at 60 s. */
export const ANSWER_WITHIN_MS = 55_000;
/** How long an async message waits at most, unless `X-Expires-In` says less. */
export const ASYNC_DEADLINE_SECONDS = 24 * 60 * 60;
/** Every fourth slot is the async lane's, while both lanes wait. */
const ASYNC_EVERY = 4;

/**
 * A pause begins when WhatsApp's server has acknowledged the message before, so each slot comes about this much
 * later than the pause alone would have it. Without it who was admitted for the last slot would wait for nothing.
 */
const SLOT_LATE_MS = 250;

/**
 * The wait until a new plain message's slot, in ms.
 * `slotInMs`: until the number's next slot (0 or less when it is free now); `ahead`: the messages that go
 * before it.
 */
export function estimateWaitMs(params: { slotInMs: number; ahead: number; intervalMs: number }): number {
  return Math.max(0, params.slotInMs) + params.ahead * (params.intervalMs + SLOT_LATE_MS);
}

/** How many slots pass before a plain message with `plainAhead` before it, each fourth one going to async. */
export function slotsAhead(params: { plainAhead: number; asyncWaiting: number }): number {
  const asyncSlots = Math.min(params.asyncWaiting, Math.floor(params.plainAhead / (ASYNC_EVERY - 1)) + 1);
  return params.plainAhead + (params.asyncWaiting > 0 ? asyncSlots : 0);
}

/**
 * `Retry-After` for a refused plain request: whole seconds until its slot would be near enough, spread over
 * half as much again so that refused callers don't return together. `random` is in [0, 1).
 */
export function retryAfterRefusal(waitMs: number, random: number): number {
  const overMs = Math.max(0, waitMs - ADMISSION_WINDOW_MS);
  return Math.max(1, Math.ceil(overMs / 1000 + random * Math.max(2, overMs / 2000)));
}

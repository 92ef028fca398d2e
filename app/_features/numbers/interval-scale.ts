import { SEND_INTERVAL_SECONDS, type SendPace } from '#server/core/pacing/interval.ts';
import { ADMISSION_WINDOW_MS, estimateWaitMs } from '#server/core/pacing/waits.ts';

const { min, max } = SEND_INTERVAL_SECONDS;
const SPAN = Math.log(max / min);
const ENDS: Record<string, number> = { Home: min, End: max };
/** Page keys jump. */
const STEPS: Record<string, number> = {
  ArrowUp: 1,
  ArrowRight: 1,
  ArrowDown: -1,
  ArrowLeft: -1,
  PageUp: 5,
  PageDown: -5,
};

/** The position of an interval on the logarithmic scale, 0 to 1. */
export function intervalPlace(seconds: number): number {
  return Math.log(seconds / min) / SPAN;
}

/** The interval at a position: whole steps of 1 s to 30 s, of 5 s to 2 min, then of 30 s. */
export function intervalAt(place: number): number {
  const seconds = min * Math.exp(place * SPAN);
  const step = stepAt(seconds);
  return Math.min(max, Math.max(min, Math.round(seconds / step) * step));
}

function stepAt(seconds: number): number {
  if (seconds < 30) return 1;
  return seconds < 120 ? 5 : 30;
}

/** The interval after a key press; null for other keys. */
export function intervalStep(seconds: number, key: string): number | null {
  const steps = STEPS[key];
  return steps === undefined ? (ENDS[key] ?? null) : moved(seconds, steps);
}

function moved(seconds: number, steps: number): number {
  let at = seconds;
  for (let left = Math.abs(steps); left > 0; left--) {
    // Downwards the step is that of the lower range.
    const step = stepAt(steps > 0 ? at : at - 1);
    at = steps > 0 ? Math.floor(at / step) * step + step : Math.ceil(at / step) * step - step;
  }
  return Math.min(max, Math.max(min, at));
}

/**
 * When each slot begins, in ms, if synchronous requests arrive at once on an idle number; assumes the longest
 * pauses. The next request would get no slot in time.
 */
export function slotsAtOnce(pace: SendPace): number[] {
  const waitMs = (ahead: number) => estimateWaitMs({ slotInMs: 0, ahead, pace, random: 1 });
  const slots: number[] = [];
  while (waitMs(slots.length) <= ADMISSION_WINDOW_MS) slots.push(waitMs(slots.length));
  return slots;
}

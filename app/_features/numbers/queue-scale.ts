const MINUTE_MS = 60_000;
const SPANS_MS = [1, 2, 5, 10, 30, 60, 120, 360, 720, 1440].map((minutes) => minutes * MINUTE_MS);

/** A waiting message as the drawing of the queue needs it. */
export interface Due {
  /** The time until it leaves; null if that is open. */
  inMs: number | null;
  scheduled: boolean;
  keptBack: boolean;
}

/** Whether a drawing says more than the list: not for one message, nor if all of them are for later. */
export function isDrawn(rows: readonly Due[]): boolean {
  const timed = rows.filter(({ inMs }) => inMs !== null);
  return timed.length > 1 && timed.some(({ scheduled, keptBack }) => !scheduled && !keptBack);
}

/**
 * The time that a drawing of the queue covers, in ms, and how many messages leave later. Scheduled and kept-back
 * messages do not extend it, because they would shrink the rest of the queue to a line.
 */
export function queueSpan(rows: readonly Due[]): { spanMs: number; later: number } {
  const queued = rows.flatMap((row) =>
    row.scheduled || row.keptBack || row.inMs === null ? [] : [row.inMs],
  );
  const last = Math.max(0, ...queued);
  const spanMs = SPANS_MS.find((span) => span >= last) ?? SPANS_MS.at(-1) ?? MINUTE_MS;
  return { spanMs, later: rows.filter(({ inMs }) => inMs !== null && inMs > spanMs).length };
}

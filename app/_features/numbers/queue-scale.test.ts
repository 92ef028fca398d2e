import { expect, test } from 'vitest';
import { isDrawn, queueSpan } from './queue-scale.ts';

const MINUTE = 60_000;
const queued = (inMs: number | null) => ({ inMs, scheduled: false, keptBack: false });

test('the drawing covers the queue, in a round time', () => {
  expect(queueSpan([queued(0), queued(8_000)])).toEqual({ spanMs: MINUTE, later: 0 });
  expect(queueSpan([queued(0), queued(MINUTE + 1)])).toEqual({ spanMs: 2 * MINUTE, later: 0 });
  expect(queueSpan([queued(0), queued(25 * MINUTE)]).spanMs).toBe(30 * MINUTE);
});

test('messages with a time of their own do not stretch it, and later ones are counted', () => {
  const scheduled = { inMs: 26 * 60 * MINUTE, scheduled: true, keptBack: false };
  const soon = { inMs: 30_000, scheduled: true, keptBack: false };
  expect(queueSpan([queued(8_000), scheduled, soon])).toEqual({ spanMs: MINUTE, later: 1 });
  expect(queueSpan([queued(null), { ...scheduled, scheduled: false, keptBack: true }])).toEqual({
    spanMs: MINUTE,
    later: 1,
  });
});

test('a queue in which everything is for later is not drawn, because the drawing would be empty', () => {
  const scheduled = { inMs: 26 * 60 * MINUTE, scheduled: true, keptBack: false };
  const keptBack = { inMs: 60 * MINUTE, scheduled: false, keptBack: true };
  expect(isDrawn([queued(0), queued(8_000)])).toBe(true);
  expect(isDrawn([queued(0), scheduled])).toBe(true);
  expect(isDrawn([queued(0)])).toBe(false);
  expect(isDrawn([scheduled, keptBack, queued(null)])).toBe(false);
});

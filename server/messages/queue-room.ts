import { pauseMs, sendIntervalMs } from '#server/api-keys/caller.ts';
import type { AnswerMode } from '#server/core/answer-mode.ts';
import { AppError } from '#server/core/errors.ts';
import { ADMISSION_WINDOW_MS, estimateWaitMs, retryAfterRefusal, slotsAhead } from '#server/core/pacing.ts';
import { settings } from '#server/settings.ts';
import type { AdmissionRow } from './queries/admission.ts';

/**
 * Throws `queue_full` where the number takes no further message of this kind. Those that are kept back because their
 * recipients are new take no slot, and have a bound of their own: they do not use up the others' room.
 */
export function refuseIfFull(row: AdmissionRow, mode: AnswerMode, isKeptBack: boolean): void {
  if (isKeptBack) {
    refuseIfManyKeptBack(row);
    return;
  }
  // A message must leave in time however long its irregular pauses are.
  const intervalMs = pauseMs(row, 1);
  if (mode.kind !== 'plain') {
    if (row.asyncWaiting < settings.queueAsyncMax) return;
    const waitMs = estimateWaitMs({
      slotInMs: slotInMs(row, intervalMs),
      ahead: row.asyncWaiting - settings.queueAsyncMax + 1,
      intervalMs,
    });
    throw new AppError(
      'queue_full',
      `${row.asyncWaiting} messages are already waiting on this number, which is the maximum. Retry the request later.`,
      {
        retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)),
        limit: 'queue',
      },
    );
  }
  const waitMs = plainWaitMs(row, intervalMs);
  if (waitMs <= ADMISSION_WINDOW_MS) return;
  throw new AppError(
    'queue_full',
    `This number sends one message every ${between(sendIntervalMs(row), intervalMs)} s and its next free slot is ${Math.ceil(waitMs / 1000)} s away. Nothing was sent. Retry later, or send with "Prefer: respond-async".`,
    { retryAfterSeconds: retryAfterRefusal(waitMs, Math.random()), limit: 'queue' },
  );
}

function refuseIfManyKeptBack({ keptBack, keptBackMs }: AdmissionRow): void {
  if (keptBack < settings.queueNewContactsMax) return;
  throw new AppError(
    'queue_full',
    `${keptBack} messages to new people are already waiting on this number, which is the maximum. People it knows can still be written to. Retry the request later.`,
    { retryAfterSeconds: Math.max(1, Math.ceil((keptBackMs ?? 0) / 1000)), limit: 'queue' },
  );
}

/** `8`, or from when to when, `8 to 10.4`. */
function between(shortestMs: number, longestMs: number): string {
  const shortest = shortestMs / 1000;
  return longestMs === shortestMs ? `${shortest}` : `${shortest} to ${longestMs / 1000}`;
}

/** The next slot is never further ahead than the pause: what says so was written by a clock that was wrong. */
function slotInMs(row: AdmissionRow, intervalMs: number): number {
  return Math.min(row.slotInMs, intervalMs);
}

function plainWaitMs(row: AdmissionRow, intervalMs: number): number {
  return estimateWaitMs({
    slotInMs: slotInMs(row, intervalMs),
    // Async messages to the same recipient are not overtaken, so they go first.
    ahead:
      row.asyncToSame +
      slotsAhead({ plainAhead: row.plainWaiting, asyncWaiting: row.asyncWaiting - row.asyncToSame }),
    intervalMs,
  });
}

/** Which lane it waits in. */
export function laneFor(row: AdmissionRow, mode: AnswerMode): 'plain' | 'async' {
  if (mode.kind === 'plain') return 'plain';
  if (mode.kind === 'async') return 'async';
  return plainWaitMs(row, pauseMs(row, 1)) <= mode.waitSeconds * 1000 ? 'plain' : 'async';
}

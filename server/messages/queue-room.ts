import type { AnswerMode } from '#server/core/answer-mode.ts';
import { AppError } from '#server/core/errors.ts';
import { OUTCOMES } from '#server/core/outcomes.ts';
import { intervalMs } from '#server/core/pacing/interval.ts';
import { type Lane, slotsAhead } from '#server/core/pacing/lanes.ts';
import { estimateWaitMs, retryAfterRefusal, syncWindowMs } from '#server/core/pacing/waits.ts';
import { paceOf } from '#server/numbers/pace.ts';
import { settings } from '#server/settings.ts';
import type { AdmissionRow } from './queries/admission.ts';

/** The next scheduled message may be due in weeks, so callers should retry rarely. */
const SCHEDULED_RETRY_SECONDS = 3600;

/**
 * Throws `queue_full` if the number accepts no further message of this kind. Messages that are kept back because
 * their recipients are new take no slot. They have a separate limit, so that they leave room for the others.
 */
export function refuseIfFull(row: AdmissionRow, mode: AnswerMode, isKeptBack: boolean): void {
  if (isKeptBack) {
    refuseIfManyKeptBack(row);
    return;
  }
  if (mode.kind === 'async' && mode.sendAt) {
    if (row.scheduled < settings.queueScheduledMax) return;
    throw new AppError('queue_full', OUTCOMES.queue_full.says.scheduled(row.scheduled), {
      retryAfterSeconds: SCHEDULED_RETRY_SECONDS,
    });
  }
  if (mode.kind !== 'sync') {
    if (row.asyncWaiting < settings.queueAsyncMax) return;
    const waitMs = longestWaitMs(row, row.asyncWaiting - settings.queueAsyncMax + 1);
    throw new AppError('queue_full', OUTCOMES.queue_full.says.async(row.asyncWaiting), {
      retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)),
    });
  }
  const waitMs = syncWaitMs(row);
  const windowMs = syncWindowMs(mode);
  if (waitMs <= windowMs) return;
  const waitSeconds = Math.ceil(waitMs / 1000);
  const tooFar = OUTCOMES.queue_full.says.slotTooFar(secondsBetween(row), waitSeconds, windowMs / 1000);
  throw new AppError('queue_full', tooFar, {
    retryAfterSeconds: retryAfterRefusal(waitMs, Math.random(), windowMs),
  });
}

function refuseIfManyKeptBack({ keptBack, keptBackMs }: AdmissionRow): void {
  if (keptBack < settings.queueNewContactsMax) return;
  throw new AppError('queue_full', OUTCOMES.queue_full.says.keptBack(keptBack), {
    retryAfterSeconds: Math.max(1, Math.ceil((keptBackMs ?? 0) / 1000)),
  });
}

/** `8`, or `8 to 10.4` where intervals are irregular. */
function secondsBetween(row: AdmissionRow): string {
  const pace = paceOf(row);
  const [shortest, longest] = [intervalMs(pace, 0) / 1000, intervalMs(pace, 1) / 1000];
  return longest === shortest ? `${shortest}` : `${shortest} to ${longest}`;
}

/** A message must leave in time even when all intervals before it are the longest. */
function longestWaitMs(row: AdmissionRow, ahead: number): number {
  return estimateWaitMs({ slotInMs: row.slotInMs, ahead, pace: paceOf(row), random: 1 });
}

function syncWaitMs(row: AdmissionRow): number {
  const asyncWaiting = row.asyncWaiting - row.asyncToSame;
  // Async messages to the same recipient are not overtaken, so they go first.
  return longestWaitMs(row, row.asyncToSame + slotsAhead({ syncAhead: row.syncWaiting, asyncWaiting }));
}

/** How long a message of this kind will probably wait for its slot, in ms. */
export function likelyWaitMs(row: AdmissionRow, mode: AnswerMode): number {
  const { slotInMs, syncWaiting, asyncWaiting, asyncToSame } = row;
  const ahead =
    laneFor(row, mode) === 'async'
      ? syncWaiting + asyncWaiting
      : asyncToSame + slotsAhead({ syncAhead: syncWaiting, asyncWaiting: asyncWaiting - asyncToSame });
  return estimateWaitMs({ slotInMs, ahead, pace: paceOf(row), random: 0.5 });
}

export function laneFor(row: AdmissionRow, mode: AnswerMode): Lane {
  if (mode.kind === 'sync') return 'sync';
  if (mode.kind === 'async') return 'async';
  return syncWaitMs(row) <= mode.waitSeconds * 1000 ? 'sync' : 'async';
}

import { estimateWaitMs, turnsOf } from '#server/core/pacing/waits.ts';
import { paceOf } from '#server/numbers/pace.ts';
import type { NumberScope } from '#server/platform/db/context.ts';
import { readScheduleAhead } from './queries/schedule.ts';

/**
 * When a message scheduled for `sendAt` will probably be sent: later than `sendAt` if others are due at the same
 * time, or if the queue is not empty by then. Ignores messages that are accepted in the meantime.
 */
export async function estimateSendAt(
  { database, numberId }: NumberScope,
  { sendAt }: { sendAt: Date },
): Promise<Date> {
  const ahead = await readScheduleAhead(database.db, { numberId, sendAt });
  if (!ahead) return sendAt;
  const { slotInMs, waiting, dueInMs } = ahead;
  const turnMs = (before: number) =>
    estimateWaitMs({ slotInMs, ahead: before, pace: paceOf(ahead), random: 0.5 });
  const turn = turnsOf(dueInMs, turnMs(waiting), turnMs(1) - turnMs(0)).at(-1);
  return turn === undefined || turn === dueInMs.at(-1) ? sendAt : new Date(Date.now() + turn);
}

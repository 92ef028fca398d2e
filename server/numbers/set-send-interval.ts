import { AppError } from '#server/core/errors.ts';
import { SEND_INTERVAL_SECONDS } from '#server/core/pacing/interval.ts';
import type { Database } from '#server/platform/db/client.ts';
import { changeNumber, type NumberChange } from './change-number.ts';
import type { NumberView } from './number-view.ts';
import { updateNumber } from './queries/numbers.ts';

/** Sets a number's interval, from the next slot on. Throws `not_found`, `invalid_parameters`. */
export async function setSendInterval(
  database: Database,
  params: NumberChange & { sendIntervalSeconds: number },
): Promise<NumberView> {
  const { sendIntervalSeconds } = params;
  requireSendInterval(sendIntervalSeconds);
  return changeNumber(database, { ...params, action: 'number.interval' }, async (tx, number) => {
    if (number.sendIntervalSeconds === sendIntervalSeconds) return null;
    await updateNumber(tx, { ...params, set: { sendIntervalSeconds } });
    return { from: number.sendIntervalSeconds, to: sendIntervalSeconds };
  });
}

/** Throws `invalid_parameters` for an interval out of range. */
export function requireSendInterval(seconds: number): void {
  const { min, max } = SEND_INTERVAL_SECONDS;
  if (Number.isInteger(seconds) && seconds >= min && seconds <= max) return;
  throw new AppError(
    'invalid_parameters',
    `The interval between messages must be a whole number of seconds, ${min} to ${max}.`,
  );
}

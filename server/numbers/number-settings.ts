import { cleanLine } from '#server/core/clean-line.ts';
import { AppError } from '#server/core/errors.ts';
import { SEND_INTERVAL_SECONDS } from '#server/core/pacing/interval.ts';
import type { AccountContext } from '#server/platform/db/context.ts';
import { changeNumber } from './change-number.ts';
import type { OfNumber } from './get-number.ts';
import type { NumberView } from './number-view.ts';
import { setProtected } from './queries/number-health.ts';
import { updateNumber } from './queries/numbers.ts';

/** Sets a number's label; an empty one removes it. Throws `not_found`, `invalid_parameters`. */
export async function setLabel(
  context: AccountContext,
  input: OfNumber & { label: string },
): Promise<NumberView> {
  const { numberId } = input;
  const label = cleanLine('The label', input.label);
  return changeNumber(context, { numberId, action: 'number.label' }, async (tx, ref, number) => {
    if (number.label === label) return null;
    await updateNumber(tx, { ...ref, set: { label } });
    return {};
  });
}

/** Sets a number's interval, from the next slot on. Throws `not_found`, `invalid_parameters`. */
export async function setSendInterval(
  context: AccountContext,
  { numberId, sendIntervalSeconds }: OfNumber & { sendIntervalSeconds: number },
): Promise<NumberView> {
  requireSendInterval(sendIntervalSeconds);
  return changeNumber(context, { numberId, action: 'number.interval' }, async (tx, ref, number) => {
    if (number.sendIntervalSeconds === sendIntervalSeconds) return null;
    await updateNumber(tx, { ...ref, set: { sendIntervalSeconds } });
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

/** Protects a number from WhatsApp's restrictions, or stops protecting it. Throws `not_found`. */
export async function setProtection(
  context: AccountContext,
  { numberId, on }: OfNumber & { on: boolean },
): Promise<NumberView> {
  return changeNumber(context, { numberId, action: 'number.protection' }, async (tx, ref, number) => {
    if (number.protected === on) return null;
    await setProtected(tx, { ...ref, on });
    return { from: number.protected, to: on };
  });
}

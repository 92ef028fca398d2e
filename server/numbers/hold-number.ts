import type { AccountContext } from '#server/platform/db/context.ts';
import { changeNumber } from './change-number.ts';
import type { OfNumber } from './get-number.ts';
import type { NumberView } from './number-view.ts';
import { setHeld } from './queries/holds.ts';

/** Holds a number: it stays linked and sends nothing until released. Throws `not_found`. */
export async function holdNumber(context: AccountContext, { numberId }: OfNumber): Promise<NumberView> {
  return changeNumber(context, { numberId, action: 'number.hold' }, async (tx, ref, number) => {
    if (number.held) return null;
    await setHeld(tx, { ...ref, held: true });
    return { waiting: number.waiting };
  });
}

/**
 * Releases a held number: its queue is sent at its interval, and messages that were set aside stay so. Throws
 * `not_found`.
 */
export async function releaseNumber(context: AccountContext, { numberId }: OfNumber): Promise<NumberView> {
  return changeNumber(context, { numberId, action: 'number.release' }, async (tx, ref, number) => {
    if (!number.held) return null;
    await setHeld(tx, { ...ref, held: false });
    return { waiting: number.waiting };
  });
}

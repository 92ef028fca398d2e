import { AppError } from '#server/core/errors.ts';
import { PhoneDigits, recipientHint } from '#server/core/recipient.ts';
import type { Database } from '#server/platform/db/client.ts';
import { changeNumber, type NumberChange } from './change-number.ts';
import type { NumberView } from './number-view.ts';
import { updateNumber } from './queries/numbers.ts';
import { endSession } from './unlink-number.ts';

/**
 * Names the phone (digits) that shall take the place of a number's. The old one is unlinked and what waits is
 * cancelled, for it was meant to come from there; keys and history stay. The next linking takes the named
 * phone and no other. Throws `not_found`; `invalid_parameters` for a number that was never linked, or a phone
 * that is none or the same.
 */
export async function replacePhone(
  database: Database,
  params: NumberChange & { phone: string },
): Promise<NumberView> {
  const { accountId, numberId, phone } = params;
  if (!PhoneDigits.safeParse(phone).success)
    throw new AppError('invalid_parameters', recipientHint('The new phone number', phone, false));
  return changeNumber(database, { ...params, action: 'number.replace_phone' }, async (tx, number) => {
    if (number.phoneNumber === null)
      throw new AppError('invalid_parameters', 'This number has never been linked. Link a phone directly.');
    if (number.phoneNumber === phone)
      throw new AppError('invalid_parameters', 'This phone is already linked to the number.');
    if (number.suspended)
      throw new AppError('forbidden', 'This number is suspended. Contact the administrator to resume it.');
    const cancelled = await endSession(tx, {
      ...{ accountId, numberId, number },
      reason: 'Unlinked to be replaced by another phone.',
      errorCode: 'unlinked',
      error: 'The phone of this number was replaced before this message was sent.',
    });
    const set = { replacementPhone: phone };
    // The virtual phone in the owner's hand is the new one from now on.
    await updateNumber(tx, {
      ...{ accountId, numberId },
      set: number.network === 'sandbox' ? { ...set, sandboxPhone: phone } : set,
    });
    return { from: number.phoneNumber, to: phone, cancelled };
  });
}

/** The phone stays the one that it was: the next linking takes it and no other. Throws `not_found`. */
export async function keepPhone(database: Database, params: NumberChange): Promise<NumberView> {
  return changeNumber(database, { ...params, action: 'number.keep_phone' }, async (tx, number) => {
    if (number.replacementPhone === null) return null;
    await updateNumber(tx, { ...params, set: { replacementPhone: null } });
    return { was: number.replacementPhone };
  });
}

import { AppError } from '#server/core/errors.ts';
import { PERSON, recipientHint } from '#server/core/recipient.ts';
import type { AccountContext } from '#server/platform/db/context.ts';
import { changeNumber } from './change-number.ts';
import type { OfNumber } from './get-number.ts';
import type { NumberView } from './number-view.ts';
import { updateNumber } from './queries/numbers.ts';
import { endSession } from './unlink-number.ts';
import { WORDS } from './words.ts';

/**
 * Names the phone (digits) that replaces a number's. Unlinks the old one and cancels the waiting messages; keys
 * and history stay. The next linking accepts only the named phone. Throws `not_found`; `invalid_parameters` for a
 * number that was never linked, or a phone that is invalid or the same.
 */
export async function replacePhone(
  context: AccountContext,
  { numberId, phone }: OfNumber & { phone: string },
): Promise<NumberView> {
  if (!PERSON.test(phone))
    throw new AppError('invalid_parameters', recipientHint('The new phone number', phone, false));
  return changeNumber(context, { numberId, action: 'number.replace_phone' }, async (tx, ref, number) => {
    if (number.phoneNumber === null)
      throw new AppError('invalid_parameters', 'This number has never been linked. Link a phone directly.');
    if (number.phoneNumber === phone)
      throw new AppError('invalid_parameters', 'This phone is already linked to the number.');
    if (number.suspended) throw new AppError('forbidden', WORDS.suspended);
    const cancelled = await endSession(tx, ref, number, {
      cause: { code: 'phone_changes', phone },
      errorCode: 'unlinked',
      outcome: { say: 'replaced', label: number.label },
    });
    const set = { replacementPhone: phone };
    // The sandbox now shows the new virtual phone.
    await updateNumber(tx, {
      ...ref,
      set: number.network === 'sandbox' ? { ...set, sandboxPhone: phone } : set,
    });
    return { from: number.phoneNumber, to: phone, cancelled };
  });
}

/** Keeps the linked phone: the next linking accepts only it. Throws `not_found`. */
export async function keepPhone(context: AccountContext, { numberId }: OfNumber): Promise<NumberView> {
  return changeNumber(context, { numberId, action: 'number.keep_phone' }, async (tx, ref, number) => {
    if (number.replacementPhone === null) return null;
    // Its cause asks for the other phone.
    const asks = number.status === 'UNLINKED' || number.status === 'LOGGED_OUT';
    await updateNumber(tx, {
      ...ref,
      set: {
        replacementPhone: null,
        ...(asks &&
          number.phoneNumber !== null && { cause: { code: 'phone_kept', phone: number.phoneNumber } }),
      },
    });
    return { was: number.replacementPhone };
  });
}

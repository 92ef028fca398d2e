import { AppError } from '#server/core/errors.ts';
import { PERSON, recipientHint } from '#server/core/recipient.ts';
import { changeNumber } from '#server/numbers/change-number.ts';
import type { OfNumber } from '#server/numbers/get-number.ts';
import type { NumberView } from '#server/numbers/number-view.ts';
import { updateNumber } from '#server/numbers/queries/numbers.ts';
import type { AccountContext } from '#server/platform/db/context.ts';

/**
 * Gives a sandbox number another virtual phone (digits). The phone may belong to another number already, because a
 * person may try to link one phone twice. Throws `not_found`, `invalid_parameters`.
 */
export async function setSandboxPhone(
  context: AccountContext,
  { numberId, sandboxPhone }: OfNumber & { sandboxPhone: string },
): Promise<NumberView> {
  if (!PERSON.test(sandboxPhone))
    throw new AppError('invalid_parameters', recipientHint('The phone', sandboxPhone, false));
  return changeNumber(context, { numberId, action: 'number.sandbox_phone' }, async (tx, ref, number) => {
    if (number.network !== 'sandbox')
      throw new AppError('invalid_parameters', 'Only sandbox numbers have a sandbox phone.');
    if (number.sandboxPhone === sandboxPhone) return null;
    await updateNumber(tx, { ...ref, set: { sandboxPhone } });
    return { sandboxPhone };
  });
}

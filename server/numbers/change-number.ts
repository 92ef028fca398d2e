import { type AuditDetail, audit } from '#server/accounts/audit.ts';
import { notFound } from '#server/core/not-found.ts';
import type { Tx } from '#server/platform/db/client.ts';
import { type AccountContext, inside } from '#server/platform/db/context.ts';
import { getNumber, type OfNumber } from './get-number.ts';
import type { NumberView } from './number-view.ts';
import { lockNumber, type NumberRef, type NumberRow } from './queries/numbers.ts';

/** Returns the detail of the entry in the audit log, or null when there was nothing to do. */
type Change = (tx: Tx, ref: NumberRef, number: NumberRow) => Promise<AuditDetail | null>;

/**
 * Every change of a number: locks its row, runs `change` and writes the audit log in one transaction, and returns
 * the number as it is then. Throws `not_found`, and what `change` throws.
 */
export async function changeNumber(
  context: AccountContext,
  params: OfNumber & { action: string },
  change: Change,
): Promise<NumberView> {
  return context.database.db.transaction(async (tx) => {
    await changeInside(tx, context, params, change);
    return getNumber(inside(tx, context), params);
  });
}

/** As {@link changeNumber}, within a transaction that is open already. */
export async function changeInside(
  tx: Tx,
  { accountId, actor }: AccountContext,
  { numberId, action }: OfNumber & { action: string },
  change: Change,
): Promise<void> {
  const ref = { accountId, numberId };
  const number = await lockNumber(tx, ref);
  if (!number) throw notFound('number');
  const detail = await change(tx, ref, number);
  if (detail) await audit(tx, { actor, accountId, action, target: numberId, detail });
}

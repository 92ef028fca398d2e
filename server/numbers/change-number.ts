import { audit } from '#server/accounts/audit.ts';
import type { AuditDetail } from '#server/accounts/queries/audit.ts';
import type { Actor } from '#server/core/actor.ts';
import { notFound } from '#server/core/not-found.ts';
import type { Database, Tx } from '#server/platform/db/client.ts';
import { getNumber } from './get-number.ts';
import type { NumberView } from './number-view.ts';
import { lockNumber, type NumberRow } from './queries/numbers.ts';

export interface NumberChange {
  accountId: string;
  numberId: string;
  actor: Actor;
}

/**
 * How every change of a number goes: its row is locked, `change` does it in the same transaction as the entry
 * in the audit log, and the number as it is then comes back. `change` returns the entry's detail, or null
 * when there was nothing to do. Throws `not_found`, and what `change` throws.
 */
export async function changeNumber(
  database: Database,
  params: NumberChange & { action: string },
  change: (tx: Tx, number: NumberRow) => Promise<AuditDetail | null>,
): Promise<NumberView> {
  return database.db.transaction(async (tx) => {
    await changeInside(tx, params, change);
    return getNumber(tx, params);
  });
}

/** As {@link changeNumber}, within a transaction that is open already. */
export async function changeInside(
  tx: Tx,
  params: NumberChange & { action: string },
  change: (tx: Tx, number: NumberRow) => Promise<AuditDetail | null>,
): Promise<void> {
  const { accountId, numberId, actor, action } = params;
  const number = await lockNumber(tx, { accountId, numberId });
  if (!number) throw notFound('number');
  const detail = await change(tx, number);
  if (detail) await audit(tx, { actor, accountId, action, target: numberId, detail });
}

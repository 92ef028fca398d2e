import type { Holding } from '#server/core/lease.ts';
import type { PhoneRefusal } from '#server/core/number/machine.ts';
import type { SessionRow } from '#server/core/number/session-row.ts';
import { cancelWaiting } from '#server/messages/queries/cancel-waiting.ts';
import { forgetContacts } from '#server/messages/queries/new-contacts.ts';
import { forgetGroups, isLiveElsewhere, writeLinked } from '#server/numbers/queries/sessions.ts';
import type { Database } from '#server/platform/db/client.ts';

/**
 * Stores the phone of a ready session as the number's phone, or returns why this phone is not accepted.
 * `replaced`: the number had another phone before.
 */
export async function admitPhone(
  database: Database,
  holding: Holding,
  { row, phone }: { row: SessionRow; phone: string },
): Promise<{ refused: PhoneRefusal } | { replaced: boolean }> {
  const wanted = row.replacementPhone ?? row.phoneNumber;
  if (wanted && wanted !== phone) return { refused: row.replacementPhone ? 'not_the_replacement' : 'other' };
  if (await isLiveElsewhere(database, { numberId: holding.numberId, network: row.network, phone })) {
    return { refused: 'in_use' };
  }
  const replaced = row.phoneNumber !== null && row.phoneNumber !== phone;
  if (replaced) await forgetOldPhone(database, holding, row);
  await writeLinked(database, holding, { phone });
  return { replaced };
}

/** Messages for the old phone must not leave from the new one, which also has other groups and contacts. */
async function forgetOldPhone(database: Database, holding: Holding, row: SessionRow): Promise<void> {
  await cancelWaiting(database.db, {
    accountId: row.accountId,
    numberId: holding.numberId,
    holding,
    errorCode: 'unlinked',
    outcome: { say: 'replaced', label: row.label },
  });
  await forgetGroups(database, holding);
  await forgetContacts(database, holding);
}

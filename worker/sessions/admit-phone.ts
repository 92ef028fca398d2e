import type { Holding } from '#server/core/lease.ts';
import { OUTCOMES } from '#server/core/outcomes.ts';
import { cancelWaiting } from '#server/messages/queries/cancel-waiting.ts';
import { forgetContacts } from '#server/messages/queries/new-contacts.ts';
import {
  forgetGroups,
  isLiveElsewhere,
  type SessionRow,
  writeLinked,
} from '#server/numbers/queries/sessions.ts';
import type { Database } from '#server/platform/db/client.ts';
import { REASONS } from './reasons.ts';

/**
 * A session is ready with this phone: stores it as the number's phone, or returns why it may not be. `replaced`: it
 * replaces another phone.
 */
export async function admitPhone(
  database: Database,
  holding: Holding,
  { row, phone }: { row: SessionRow; phone: string },
): Promise<{ refused: string } | { replaced: boolean }> {
  const wanted = row.replacementPhone ?? row.phoneNumber;
  if (wanted && wanted !== phone)
    return { refused: row.replacementPhone ? REASONS.notTheReplacement : REASONS.otherPhone };
  if (await isLiveElsewhere(database, { numberId: holding.numberId, network: row.network, phone })) {
    return { refused: REASONS.phoneInUse };
  }
  const replaced = row.phoneNumber !== null && row.phoneNumber !== phone;
  if (replaced) await forgetOldPhone(database, holding, row);
  await writeLinked(database, holding, { phone });
  return { replaced };
}

/** Messages for the old phone are not sent from another one, and its groups and contacts are not the new one's. */
async function forgetOldPhone(database: Database, holding: Holding, row: SessionRow): Promise<void> {
  await cancelWaiting(database.db, {
    accountId: row.accountId,
    numberId: holding.numberId,
    holding,
    errorCode: 'unlinked',
    error: OUTCOMES.unlinked.says.replaced,
  });
  await forgetGroups(database, holding);
  await forgetContacts(database, holding);
}

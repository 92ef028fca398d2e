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
 * The session is ready with this phone: takes note of it as the number's, or says why it may not be. `replaced`: it
 * took the place of another.
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

/** What was meant to come from the old phone does not come from another, and its groups are its own. */
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

import type { AccountContext, AccountScope } from '#server/platform/db/context.ts';
import { audit } from './audit.ts';
import { hasAcceptedRisk as readAccepted, acceptRisk as writeAccepted } from './queries/accounts.ts';

/** Somebody has read what linking a real number risks; remembered for their account, the first time it is said. */
export async function acceptRisk({ database, accountId, actor }: AccountContext): Promise<void> {
  await database.db.transaction(async (tx) => {
    if (await writeAccepted(tx, { accountId }))
      await audit(tx, { actor, accountId, action: 'account.accept_risk', target: accountId, detail: {} });
  });
}

/** Whether somebody of the account has. */
export function hasAcceptedRisk({ database, accountId }: AccountScope): Promise<boolean> {
  return readAccepted(database.db, { accountId });
}

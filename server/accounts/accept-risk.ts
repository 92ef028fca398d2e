import type { Actor } from '#server/core/actor.ts';
import type { Database, Db } from '#server/platform/db/client.ts';
import { audit } from './audit.ts';
import { hasAcceptedRisk as readAccepted, acceptRisk as writeAccepted } from './queries/accounts.ts';

/** Somebody has read what linking a real number risks; remembered for their account, the first time it is said. */
export async function acceptRisk(
  database: Database,
  params: { accountId: string; actor: Actor },
): Promise<void> {
  const { accountId, actor } = params;
  await database.db.transaction(async (tx) => {
    if (await writeAccepted(tx, { accountId }))
      await audit(tx, { actor, accountId, action: 'account.accept_risk', target: accountId, detail: {} });
  });
}

/** Whether somebody of the account has. */
export function hasAcceptedRisk(db: Db, params: { accountId: string }): Promise<boolean> {
  return readAccepted(db, params);
}

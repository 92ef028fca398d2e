import { exportAccount } from '#server/accounts/export-account.ts';
import type { Actor } from '#server/core/actor.ts';
import { AppError } from '#server/core/errors.ts';
import { OUTCOMES } from '#server/core/outcomes.ts';
import { accountOf, refuseViewer, userOf } from './account-of.ts';
import type { DashboardContext } from './context.ts';
import { download, orRefusal } from './file-answer.ts';
import { downloadOf } from './handle.ts';

export const handleExport = downloadOf(answerExport);

/** Answers with the export of the account, for an owner who has just entered their password. */
export function answerExport(context: DashboardContext): Promise<Response> {
  return orRefusal(async () => {
    const user = userOf(context);
    // It writes to the audit log and exports everything, so it counts as a mutation despite its method.
    refuseViewer(context, { type: 'mutation', path: 'account.export' });
    const { accountId, role } = accountOf(context);
    if (role !== 'owner') throw new AppError('forbidden', OUTCOMES.forbidden.says.ownersOnly);
    if (!user.confirmed)
      throw new AppError('confirm_password', 'Confirm your password on the account page to continue.');
    const actor: Actor = { kind: 'user', userId: user.userId, address: context.address };
    const { database } = context;
    const { fileName, parts } = await exportAccount({ database, accountId, actor });
    const reader = { database, signInId: user.signInId, accountId, ownersOnly: true };
    return download({ parts, type: 'application/zip', fileName }, reader);
  });
}

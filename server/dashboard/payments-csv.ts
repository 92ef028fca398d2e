import type { Actor } from '#server/core/actor.ts';
import { paymentsCsv } from '#server/plans/list-payments.ts';
import { refuseViewer, requireAdmin } from './account-of.ts';
import type { DashboardContext } from './context.ts';
import { downloadCsv, orRefusal } from './file-answer.ts';
import { downloadOf } from './handle.ts';

export const handlePaymentsCsv = downloadOf(answerPaymentsCsv);

/** Answers the administrator's browser with all payments as a CSV file. */
export function answerPaymentsCsv(context: DashboardContext): Promise<Response> {
  return orRefusal(async () => {
    const { userId, signInId } = requireAdmin(context);
    refuseViewer(context, { type: 'query', path: 'admin.paymentsCsv' });
    const actor: Actor = { kind: 'user', userId, address: context.address };
    const { database } = context;
    return downloadCsv('payments', paymentsCsv({ database, actor }), { database, signInId, accountId: null });
  });
}

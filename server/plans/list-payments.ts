import type { Db } from '#server/platform/db/client.ts';
import { listPaymentRows, type PaymentRow } from './queries/payments.ts';

const MOST = 200;

/** An account's payments as the administrator recorded them, newest first. */
export function listPayments(db: Db, params: { accountId: string }): Promise<PaymentRow[]> {
  return listPaymentRows(db, { accountId: params.accountId, limit: MOST });
}

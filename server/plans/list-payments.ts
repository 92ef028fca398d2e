import { audit } from '#server/accounts/audit.ts';
import { CSV_UTF8, csvLine } from '#server/core/csv.ts';
import type { AccountScope, ActorContext } from '#server/platform/db/context.ts';
import { listAllPaymentRows, listPaymentRows, type PaymentRow } from './queries/payments.ts';

const LISTED_MAX = 200;
const PAGE = 500;
const HEAD = [
  'recorded at (UTC)',
  'account id',
  'account',
  'received on',
  'amount (EUR)',
  'numbers',
  'paid until',
  'reference',
  'note',
  'recorded by',
  'payment id',
];

/** An account's payments as the administrator recorded them, newest first. */
export function listPayments({ database, accountId }: AccountScope): Promise<PaymentRow[]> {
  return listPaymentRows(database.db, { accountId, limit: LISTED_MAX });
}

/** All payments as they were recorded, oldest first, as a CSV file's lines. The audit log records who asked. */
export async function* paymentsCsv({ database, actor }: ActorContext): AsyncGenerator<string> {
  const { db } = database;
  const entry = { accountId: null, target: null };
  await audit(db, { ...entry, actor, action: 'plan.payments_csv' });
  yield CSV_UTF8 + csvLine(HEAD);
  for (let after = ''; ; ) {
    const rows = await listAllPaymentRows(db, { after, limit: PAGE });
    for (const row of rows)
      yield csvLine([
        row.createdAt.toISOString(),
        row.accountId,
        row.accountName,
        row.paidOn,
        row.amountCents === null ? null : (row.amountCents / 100).toFixed(2),
        row.numbersIncluded,
        row.paidUntil,
        row.reference,
        row.note,
        row.recordedByEmail ?? 'command line',
        row.id,
      ]);
    after = rows.at(-1)?.id ?? '';
    if (rows.length < PAGE) return;
  }
}

import { audit } from '#server/accounts/audit.ts';
import type { Actor } from '#server/core/actor.ts';
import { csvLine } from '#server/core/csv.ts';
import type { Database } from '#server/platform/db/client.ts';
import { listAllPaymentRows } from './queries/payments.ts';

const PAGE = 500;
/** The mark by which a table's program knows UTF-8. */
const UTF8 = '\uFEFF';
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

/** All payments as they were recorded, oldest first, as a CSV file's lines. That somebody asked is in the log. */
export async function* paymentsCsv(database: Database, params: { actor: Actor }): AsyncGenerator<string> {
  const { db } = database;
  const entry = { accountId: null, target: null, detail: null };
  await audit(db, { ...entry, actor: params.actor, action: 'plan.payments_csv' });
  yield UTF8 + csvLine(HEAD);
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

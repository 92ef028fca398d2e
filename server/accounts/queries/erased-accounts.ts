import { and, eq, gt, inArray, isNotNull, lte, ne, notExists, or, sql } from 'drizzle-orm';
import type { Database, Db } from '#server/platform/db/client.ts';
import { anyOf, now } from '#server/platform/db/expressions.ts';
import {
  accounts,
  auditLog,
  erasedNumbers,
  leases,
  messageCountDeltas,
  messages,
  numbers,
  rateBuckets,
} from '#server/schema/index.ts';

/**
 * Deleted accounts whose sessions have ended, so that their rows can be deleted: a worker needs the rows to unlink
 * the phones at WhatsApp. After a day without such a worker they are deleted anyway.
 */
export async function listRemovable({ db }: Database): Promise<string[]> {
  const busy = db
    .select({ id: numbers.id })
    .from(numbers)
    .leftJoin(leases, eq(leases.numberId, numbers.id))
    .where(
      and(
        eq(numbers.accountId, accounts.id),
        or(ne(numbers.intent, 'idle'), gt(leases.expiresAt, sql`now()`)),
      ),
    );
  const rows = await db
    .select({ id: accounts.id })
    .from(accounts)
    .where(
      and(
        isNotNull(accounts.deletedAt),
        or(lte(accounts.deletedAt, sql`now() - interval '1 day'`), notExists(busy)),
      ),
    );
  return rows.map(({ id }) => id);
}

const BATCH = 1000;

/** Records the numbers of a deleted account: workers remove their profiles. */
export async function nameErased({ db }: Database, params: { accountId: string }): Promise<void> {
  const own = db
    .select({ numberId: numbers.id, createdAt: now.as('created_at') })
    .from(numbers)
    .where(eq(numbers.accountId, params.accountId));
  await db.insert(erasedNumbers).select(own).onConflictDoNothing();
}

/**
 * Erases the texts in a deleted account's entries of the audit log, such as phone numbers and URLs; figures stay. The
 * database refuses it for an account that is not marked as deleted.
 */
export async function eraseAuditTexts(db: Db, params: { accountId: string }): Promise<void> {
  const figures = sql`audit_detail_without_texts(${auditLog.detail})`;
  await db
    .update(auditLog)
    .set({ detail: figures })
    .where(
      and(eq(auditLog.accountId, params.accountId), sql`${auditLog.detail} is distinct from ${figures}`),
    );
}

/** Deletes all remaining rows of a deleted account. */
export async function removeRows(database: Database, { accountId }: { accountId: string }): Promise<void> {
  const { db } = database;
  const batch = db
    .select({ id: messages.id })
    .from(messages)
    .where(eq(messages.accountId, accountId))
    .limit(BATCH);
  for (;;) {
    const gone = await db.delete(messages).where(inArray(messages.id, batch));
    if ((gone.rowCount ?? 0) < BATCH) break;
  }
  await db.delete(messageCountDeltas).where(eq(messageCountDeltas.accountId, accountId));
  const buckets = ['sends', 'reads', 'changes'].map((name) => `${name}:${accountId}`);
  await db.delete(rateBuckets).where(inArray(rateBuckets.key, buckets));
  // Its recipients, requests and events can be millions of rows, and only such a transaction may take that long.
  await database.pool.beginLong((tx) =>
    tx.run(sql`delete from accounts where id = ${accountId} and deleted_at is not null`),
  );
}

/** Which of these numbers were erased with their account. */
export async function erasedAmong({ db }: Database, params: { numberIds: string[] }): Promise<string[]> {
  const rows = await db
    .select({ id: erasedNumbers.numberId })
    .from(erasedNumbers)
    .where(anyOf(erasedNumbers.numberId, params.numberIds));
  return rows.map(({ id }) => id);
}

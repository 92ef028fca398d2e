import type { Db } from '#server/db/client.ts';
import { type AuditEntry, type AuditRow, insertAudit, listAuditRows } from '#server/store/audit.ts';

export type { AuditEntry, AuditRow } from '#server/store/audit.ts';

/** Notes who did what. Call it in the transaction that does it: both happen, or neither. */
export function audit(db: Db, entry: AuditEntry): Promise<void> {
  return insertAudit(db, entry);
}

/** A page of the audit log, newest first: of one account, or of the installation for an administrator. */
export async function listAudit(
  db: Db,
  params: { accountId?: string; before?: number; limit: number },
): Promise<{ rows: AuditRow[]; next: number | null }> {
  const { accountId = null, before = null, limit } = params;
  const rows = await listAuditRows(db, { accountId, before, limit: limit + 1 });
  const page = rows.slice(0, limit);
  return { rows: page, next: rows.length > limit ? (page.at(-1)?.id ?? null) : null };
}

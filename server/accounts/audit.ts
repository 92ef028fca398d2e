import type { Db } from '#server/platform/db/client.ts';
import type { InstallationScope } from '#server/platform/db/context.ts';
import {
  type AuditEntry,
  type AuditFilter,
  type AuditRow,
  insertAudit,
  listAuditRows,
} from './queries/audit.ts';

export type { AuditDetail, AuditEntry, AuditRow } from './queries/audit.ts';

/** Writes an entry of the audit log. Call it in the transaction of the change, so that both happen or neither. */
export function audit(db: Db, entry: AuditEntry): Promise<void> {
  return insertAudit(db, entry);
}

/** A page of the audit log, newest first, narrowed by the given filters. */
export async function listAudit(
  { database: { db } }: InstallationScope,
  { limit, ...filter }: AuditFilter & { limit: number },
): Promise<{ rows: AuditRow[]; next: number | null }> {
  const rows = await listAuditRows(db, { ...filter, limit: limit + 1 });
  const page = rows.slice(0, limit);
  return { rows: page, next: rows.length > limit ? (page.at(-1)?.id ?? null) : null };
}

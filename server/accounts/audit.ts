import type { Db } from '#server/platform/db/client.ts';
import type { InstallationScope } from '#server/platform/db/context.ts';
import { settings } from '#server/settings.ts';
import { type AuditEntry, type AuditRow, insertAudit, listAuditRows } from './queries/audit.ts';

export type { AuditDetail, AuditEntry, AuditRow } from './queries/audit.ts';

/** Writes an entry of the audit log. Call it in the transaction of the change, so that both happen or neither. */
export function audit(db: Db, entry: AuditEntry): Promise<void> {
  return insertAudit(db, entry);
}

/** A page of the audit log, newest first, narrowed by the given filters. */
export async function listAudit(
  { database: { db } }: InstallationScope,
  params: {
    accountId?: string | undefined;
    /** Part of an account's name or of a member's e-mail address, or its id. */
    account?: string | undefined;
    /** Part of an e-mail or network address, a user's id, `cli` or `system`. */
    actor?: string | undefined;
    action?: string | undefined;
    day?: string | undefined;
    timeZone?: string | undefined;
    before?: number | undefined;
    limit: number;
  },
): Promise<{ rows: AuditRow[]; next: number | null }> {
  const { accountId = null, account = null, actor = null, action = null, day = null } = params;
  const { timeZone = settings.timeZone, before = null, limit } = params;
  const filter = { accountId, account, actor, action, day, timeZone };
  const rows = await listAuditRows(db, { ...filter, before, limit: limit + 1 });
  const page = rows.slice(0, limit);
  return { rows: page, next: rows.length > limit ? (page.at(-1)?.id ?? null) : null };
}

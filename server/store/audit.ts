import { and, desc, eq, lt, sql } from 'drizzle-orm';
import type { Actor } from '#server/core/actor.ts';
import type { Db } from '#server/db/client.ts';
import { auditActors, auditLog, users } from '#server/db/schema/index.ts';

export type AuditDetail = Record<string, string | number | boolean | null>;

export interface AuditEntry {
  actor: Actor;
  /** The account that it concerns; null for what concerns the installation. */
  accountId: string | null;
  /** For example `key.create`. */
  action: string;
  /** The id of what was acted on. */
  target: string | null;
  detail: AuditDetail | null;
}

/** Writes an entry and, beside it where erasure may touch them, its actor and address. */
export async function insertAudit(db: Db, entry: AuditEntry): Promise<void> {
  const { actor, ...rest } = entry;
  const [made] = await db.insert(auditLog).values(rest).returning({ id: auditLog.id });
  if (!made) throw new Error('the audit log took no entry');
  await db.insert(auditActors).values({
    auditId: made.id,
    kind: actor.kind,
    userId: actor.kind === 'user' ? actor.userId : null,
    address: actor.kind === 'user' ? actor.address : null,
  });
}

export interface AuditRow {
  id: number;
  accountId: string | null;
  action: string;
  target: string | null;
  detail: AuditDetail | null;
  at: Date;
  actor: Actor['kind'] | null;
  actorId: string | null;
  actorEmail: string | null;
  address: string | null;
}

/** Entries older than `before`, newest first; of one account, or of all for an administrator. */
export function listAuditRows(
  db: Db,
  params: { accountId: string | null; before: number | null; limit: number },
): Promise<AuditRow[]> {
  const { accountId, before, limit } = params;
  return db
    .select({
      id: auditLog.id,
      accountId: auditLog.accountId,
      action: auditLog.action,
      target: auditLog.target,
      detail: auditLog.detail,
      at: auditLog.createdAt,
      actor: auditActors.kind,
      actorId: auditActors.userId,
      actorEmail: sql<string | null>`${users.email}`,
      address: auditActors.address,
    })
    .from(auditLog)
    .leftJoin(auditActors, eq(auditActors.auditId, auditLog.id))
    .leftJoin(users, eq(users.id, auditActors.userId))
    .where(
      and(
        accountId === null ? undefined : eq(auditLog.accountId, accountId),
        before === null ? undefined : lt(auditLog.id, before),
      ),
    )
    .orderBy(desc(auditLog.id))
    .limit(limit);
}

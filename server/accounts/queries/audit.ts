import { type AnyColumn, and, desc, eq, exists, gte, ilike, lt, or, sql } from 'drizzle-orm';
import type { Actor } from '#server/core/actor.ts';
import { pick } from '#server/core/pick.ts';
import type { Db } from '#server/platform/db/client.ts';
import { accounts, auditActors, auditLog, users } from '#server/schema/index.ts';
import { isFoundBy } from './account-list.ts';

export type AuditDetail = Record<string, string | number | boolean | null>;

export interface AuditEntry {
  actor: Actor;
  /** The account that the entry concerns; null if it concerns the installation. */
  accountId: string | null;
  /** For example `key.create`. */
  action: string;
  /** The id of the object that was acted on. */
  target: string | null;
  detail?: AuditDetail | null;
}

/** Writes an entry; its actor and address go into their own table, which erasure may change. */
export async function insertAudit(db: Db, entry: AuditEntry): Promise<void> {
  const { actor, ...rest } = entry;
  const [made] = await db.insert(auditLog).values(rest).returning({ id: auditLog.id });
  if (!made) throw new Error('the audit log took no entry');
  await db.insert(auditActors).values({
    auditId: made.id,
    kind: actor.kind,
    userId: actor.kind === 'user' ? actor.userId : actor.kind === 'key' ? actor.keyId : null,
    address: ('address' in actor && actor.address) || null,
  });
}

/** Which entries of the log to list. */
export interface AuditFilter {
  accountId?: string | undefined;
  /** Part of an account's name or of a member's email address, or its id. */
  account?: string | undefined;
  /** Part of an email address or an IP address; `cli` or `system`; a user's id. */
  actor?: string | undefined;
  /** An action such as `key.create`, or a prefix such as `key.` for all of its actions. */
  action?: string | undefined;
  since?: Date | undefined;
  until?: Date | undefined;
  /** Only entries older than the one with this ID. */
  before?: number | undefined;
}

// SQL: what has the ID is in one of these tables, depending on the kind of its ID, and each look-up is by key.
const nameOf = (id: AnyColumn) => sql<string | null>`coalesce(
  (select coalesce(nullif(n.label, ''), '+' || n.phone_number) from numbers n where n.id = ${id}),
  (select coalesce(nullif(k.name, ''), k.hint) from api_keys k join numbers n on n.id = k.number_id
    and n.account_id = k.account_id where k.id = ${id}),
  (select u.email from users u where u.id = ${id}),
  (select a.name from accounts a where a.id = ${id}),
  (select e.url from webhook_endpoints e where e.id = ${id}))`;

/** Entries that match a filter, newest first. */
export function listAuditRows(db: Db, params: AuditFilter & { limit: number }) {
  const { accountId, account, actor, action, since, until, before, limit } = params;
  const part = `%${actor?.replace(/[\\%_]/g, '\\$&')}%`;
  return db
    .select({
      ...pick(auditLog, 'id', 'accountId', 'action', 'target'),
      targetName: nameOf(auditLog.target),
      detail: auditLog.detail,
      at: auditLog.createdAt,
      actor: auditActors.kind,
      actorId: auditActors.userId,
      actorName: nameOf(auditActors.userId),
      actorEmail: sql<string | null>`${users.email}`,
      address: auditActors.address,
    })
    .from(auditLog)
    .leftJoin(auditActors, eq(auditActors.auditId, auditLog.id))
    .leftJoin(users, eq(users.id, auditActors.userId))
    .where(
      and(
        accountId === undefined ? undefined : eq(auditLog.accountId, accountId),
        account === undefined
          ? undefined
          : exists(
              db
                .select({ id: accounts.id })
                .from(accounts)
                .where(and(eq(accounts.id, auditLog.accountId), isFoundBy(account))),
            ),
        before === undefined ? undefined : lt(auditLog.id, before),
        action === undefined
          ? undefined
          : action.endsWith('.')
            ? sql`starts_with(${auditLog.action}, ${action})`
            : eq(auditLog.action, action),
        since === undefined ? undefined : gte(auditLog.createdAt, since),
        until === undefined ? undefined : lt(auditLog.createdAt, until),
        actor === undefined
          ? undefined
          : or(
              eq(auditActors.userId, actor),
              sql`${auditActors.kind} = ${actor}`,
              ilike(users.email, part),
              ilike(auditActors.address, part),
            ),
      ),
    )
    .orderBy(desc(auditLog.id))
    .limit(limit);
}

export type AuditRow = Awaited<ReturnType<typeof listAuditRows>>[number];

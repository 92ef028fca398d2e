import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '#server/platform/db/client.ts';

type Row = Record<string, unknown>;

/** Everything of an account but its messages and its log, each part under the name of its file. */
export async function readParts(db: Db, params: { accountId: string }): Promise<Record<string, Row[]>> {
  const { accountId } = params;
  const read = async (query: SQL): Promise<Row[]> => (await db.execute<Row>(query)).rows;
  return {
    account: await read(sql`
      select id, name, time_zone as "timeZone", created_at as "createdAt", text_retention_days as "textRetentionDays",
        metadata_retention_days as "metadataRetentionDays"
      from accounts where id = ${accountId}`),
    people: await read(sql`
      select u.id, u.email, m.role, u.created_at as "createdAt" from memberships m join users u on u.id = m.user_id
      where m.account_id = ${accountId} order by u.id`),
    numbers: await read(sql`
      select n.id, n.network, n.label, n.phone_number as "phoneNumber", n.status, n.status_reason as "statusReason",
        n.send_interval_seconds as "sendIntervalSeconds", n.first_linked_at as "firstLinkedAt",
        n.removed_at as "removedAt", n.created_at as "createdAt",
        coalesce((select jsonb_agg(jsonb_build_object('status', e.status, 'reason', e.reason, 'at', e.at) order by e.id)
          from number_events e where e.number_id = n.id), '[]') as history,
        coalesce((select jsonb_agg(jsonb_build_object('digits', l.digits, 'found', l.found, 'at', l.at) order by l.at)
          from look_ups l where l.number_id = n.id), '[]') as "lookUps",
        coalesce((select jsonb_agg(jsonb_build_object('to', r.recipient, 'askedAt', r.asked_at, 'knownAt', r.known_at, 'refusedAt', r.refused_at) order by r.recipient)
          from recipients r where r.number_id = n.id), '[]') as recipients
      from numbers n where n.account_id = ${accountId} order by n.id`),
    keys: await read(sql`
      select k.id, n.id as "numberId", k.name, k.hint, k.created_at as "createdAt", k.last_used_at as "lastUsedAt",
        k.expires_at as "expiresAt", k.revoked_at as "revokedAt"
      from api_keys k join numbers n on n.id = k.number_id and n.account_id = k.account_id
      where k.account_id = ${accountId} order by k.id`),
    plan: await read(sql`
      select numbers_included as "numbersIncluded", paid_until::text as "paidUntil", ended_at as "endedAt"
      from subscriptions where account_id = ${accountId}`),
    payments: await read(sql`
      select id, amount_cents as "amountCents", numbers_included as "numbersIncluded",
        paid_until::text as "paidUntil", created_at as "createdAt"
      from payments where account_id = ${accountId} order by id`),
  };
}

/** A page of an account's messages after `after`, each with its timeline. */
export async function readMessages(
  db: Db,
  params: { accountId: string; after: number; limit: number },
): Promise<(Row & { seq: number })[]> {
  const { accountId, after, limit } = params;
  const { rows } = await db.execute<Row & { seq: number }>(sql`
    select m.seq::float8 as seq, m.id, m.number_id as "numberId", m.api_key_id as "keyId", m.type, m.recipient as "to",
      m.content, m.status, m.error, m.media_mime_type as "mediaMimeType", m.media_bytes as "mediaBytes",
      m.page_build as "pageBuild", m.created_at as "createdAt", m.sent_at as "sentAt", m.settled_at as "settledAt",
      coalesce((select jsonb_agg(jsonb_build_object('event', e.event, 'detail', e.detail, 'at', e.at) order by e.id)
        from message_events e where e.message_id = m.id), '[]') as timeline
    from messages m where m.account_id = ${accountId} and m.seq > ${after} order by m.seq limit ${limit}`);
  return rows;
}

/** A page of an account's audit log after `after`. */
export async function readAudit(
  db: Db,
  params: { accountId: string; after: number; limit: number },
): Promise<(Row & { seq: number })[]> {
  const { accountId, after, limit } = params;
  const { rows } = await db.execute<Row & { seq: number }>(sql`
    select l.id::float8 as seq, l.action, l.target, l.detail, l.created_at as at, a.kind as actor,
      a.user_id as "userId", a.address
    from audit_log l left join audit_actors a on a.audit_id = l.id
    where l.account_id = ${accountId} and l.id > ${after} order by l.id limit ${limit}`);
  return rows;
}

import { sql } from 'drizzle-orm';
import type { MessageType } from '#server/core/message.ts';
import type { MessageStatus } from '#server/core/message-state.ts';
import type { Recipient } from '#server/core/recipient.ts';
import type { Db } from '#server/platform/db/client.ts';

/** How many messages ended how. */
export interface Counts {
  sent: number;
  delivered: number;
  failed: number;
  unknown: number;
}

const counts = sql`
  count(*) filter (where m.status in ('sent', 'delivered', 'read'))::int as sent,
  count(*) filter (where m.status in ('delivered', 'read'))::int as delivered,
  count(*) filter (where m.status = 'failed')::int as failed,
  count(*) filter (where m.status = 'unknown')::int as unknown`;

interface InZone {
  accountId: string;
  /** IANA name; days begin at its midnight. */
  timeZone: string;
}

/** Today's outcomes, for each number that had any. */
export async function countToday(
  db: Db,
  { accountId, timeZone }: InZone,
): Promise<(Counts & { numberId: string })[]> {
  const { rows } = await db.execute<{ numberId: string } & Record<keyof Counts, number>>(sql`
    select m.number_id as "numberId", ${counts} from messages m
    where m.account_id = ${accountId}
      and m.created_at >= date_trunc('day', clock_timestamp(), ${timeZone})
    group by m.number_id`);
  return rows;
}

/** Sent messages by number and hour, `hoursAgo` 0 to 23. */
export async function countHours(
  db: Db,
  { accountId }: { accountId: string },
): Promise<{ numberId: string; hoursAgo: number; sent: number }[]> {
  const { rows } = await db.execute<{ numberId: string; hoursAgo: number; sent: number }>(sql`
    select m.number_id as "numberId",
      floor(extract(epoch from clock_timestamp() - m.sent_at) / 3600)::int as "hoursAgo",
      count(*)::int as sent
    from messages m
    where m.account_id = ${accountId} and m.created_at > clock_timestamp() - interval '2 days'
      and m.sent_at > clock_timestamp() - interval '1 day'
    group by 1, 2`);
  return rows.filter((row) => row.hoursAgo >= 0 && row.hoursAgo < 24);
}

/**
 * Outcomes by day, the last `days` with today, as `YYYY-MM-DD` in the zone: of the real network, and of the
 * sandbox as long as there is nothing else.
 */
export async function countDays(
  db: Db,
  { accountId, timeZone, days }: InZone & { days: number },
): Promise<(Counts & { day: string })[]> {
  const { rows } = await db.execute<{ day: string } & Record<keyof Counts, number>>(sql`
    select to_char(d.day, 'YYYY-MM-DD') as day,
      coalesce(c.sent, 0) as sent, coalesce(c.delivered, 0) as delivered,
      coalesce(c.failed, 0) as failed, coalesce(c.unknown, 0) as unknown
    from generate_series(
      date_trunc('day', clock_timestamp() at time zone ${timeZone}) - (${days}::int - 1) * interval '1 day',
      date_trunc('day', clock_timestamp() at time zone ${timeZone}), interval '1 day') d(day)
    left join (
      select date_trunc('day', m.created_at at time zone ${timeZone}) as day, ${counts}
      from messages m join numbers n on n.id = m.number_id
      where m.account_id = ${accountId}
        and (n.network = 'whatsapp' or not exists (select from numbers r
          where r.account_id = ${accountId} and r.network = 'whatsapp' and r.first_linked_at is not null))
        and m.created_at > clock_timestamp() - (${days}::int + 1) * interval '1 day'
      group by 1) c on c.day = d.day
    order by d.day`);
  return rows;
}

export interface TroubleRow {
  id: string;
  to: Recipient;
  type: MessageType;
  status: MessageStatus;
  error: string | null;
  createdAt: string;
}

/**
 * The latest messages of the last `days` that failed, whose outcome is unknown, or that waited and were not sent:
 * their time was over, or something else than a person cancelled them.
 */
export async function listTroubles(
  db: Db,
  { accountId, days, limit }: { accountId: string; days: number; limit: number },
): Promise<TroubleRow[]> {
  const { rows } = await db.execute<TroubleRow & Record<string, unknown>>(sql`
    select m.id, m.recipient as "to", m.type, m.status, m.error,
      m.created_at as "createdAt"
    from messages m
    where m.account_id = ${accountId}
      and (m.status in ('failed', 'unknown')
        or m.lane = 'async' and (m.status = 'expired'
          or m.status = 'cancelled' and m.error_code is distinct from 'cancelled_by_person'))
      and m.created_at > clock_timestamp() - ${days}::int * interval '1 day'
    order by m.seq desc limit ${limit}`);
  return rows;
}

/** How far an account is on its way to the first message. */
export interface Progress {
  added: boolean;
  linked: boolean;
  key: boolean;
  sent: boolean;
}

export async function findProgress(db: Db, { accountId }: { accountId: string }): Promise<Progress> {
  const {
    rows: [row],
  } = await db.execute<Record<keyof Progress, boolean>>(sql`
    select
      exists (select from numbers where account_id = ${accountId} and removed_at is null) as added,
      exists (select from numbers where account_id = ${accountId} and removed_at is null
        and first_linked_at is not null) as linked,
      exists (select from api_keys where account_id = ${accountId} and revoked_at is null) as key,
      exists (select from messages where account_id = ${accountId}
        and status in ('sent', 'delivered', 'read')) as sent`);
  return row ?? { added: false, linked: false, key: false, sent: false };
}

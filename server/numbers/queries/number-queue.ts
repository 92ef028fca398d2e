import { sql } from 'drizzle-orm';
import type { MessageContent, MessageType } from '#server/core/message.ts';
import type { Lane } from '#server/core/pacing/lanes.ts';
import type { Recipient } from '#server/core/recipient.ts';
import { IS_KEPT_BACK, KEPT_UNTIL } from '#server/messages/queries/new-contacts.ts';
import { SLOT_IN_MS } from '#server/messages/queries/slots.ts';
import type { Db } from '#server/platform/db/client.ts';
import { laneOf } from '#server/schema/lane.ts';
import type { NumberRef } from './numbers.ts';

export interface WaitingRow extends Record<string, unknown> {
  id: string;
  recipient: Recipient;
  type: MessageType;
  lane: Lane;
  content: MessageContent | null;
  /** It waits for its owner's decision. */
  setAside: boolean;
  /** Its file is still to be fetched. */
  awaitsMedia: boolean;
  /** Until it may leave, in ms, where it is kept back because its recipient is new; null where it is not. */
  keptBackMs: number | null;
  /** ISO 8601, as all times of this row. */
  createdAt: string;
  deadlineAt: string;
}

/** What waits on a number, in the order of admission. */
export async function listWaiting(db: Db, params: NumberRef & { limit: number }): Promise<WaitingRow[]> {
  const { accountId, numberId, limit } = params;
  const { rows } = await db.execute<WaitingRow>(sql`
    select m.id, m.recipient, m.type, ${sql.raw(laneOf('m'))} as lane, m.content, m.set_aside as "setAside", m.media_status = 'pending' as "awaitsMedia",
      case when ${sql.raw(IS_KEPT_BACK)} then (extract(epoch from ${sql.raw(KEPT_UNTIL)} - clock_timestamp()) * 1000)::float8 end as "keptBackMs",
      to_json(m.created_at)#>>'{}' as "createdAt", to_json(m.deadline_at)#>>'{}' as "deadlineAt"
    from messages m
    where m.number_id = ${numberId} and m.account_id = ${accountId} and m.status = 'queued'
    order by m.seq limit ${limit}`);
  return rows;
}

/** How many slots a number has given out, and how far its next one is away, in ms (0 or less: now). */
export async function findSlot(db: Db, params: NumberRef): Promise<{ slots: number; slotInMs: number }> {
  const {
    rows: [row],
  } = await db.execute<{ slots: number; slotInMs: number }>(sql`
    select l.slots::int as slots, ${sql.raw(SLOT_IN_MS)} as "slotInMs"
    from leases l join numbers n on n.id = l.number_id
    where n.id = ${params.numberId} and n.account_id = ${params.accountId}`);
  return row ?? { slots: 0, slotInMs: 0 };
}

import { and, asc, desc, eq, gte, inArray, lt, sql } from 'drizzle-orm';
import type { SelectResultFields } from 'drizzle-orm/query-builders/select.types';
import type { MessageStatus } from '#server/core/message-state.ts';
import { pick } from '#server/core/pick.ts';
import type { Recipient } from '#server/core/recipient.ts';
import type { Db } from '#server/platform/db/client.ts';
import { messageEvents, messages } from '#server/schema/index.ts';
import { messageWait } from './message-wait.ts';
import { messageView } from './outcomes.ts';

/** A place in the list: the message after which the next page begins. */
export interface MessageCursor {
  createdAt: Date;
  seq: number;
}

const record = {
  ...messageView,
  ...pick(messages, 'seq', 'reference', 'createdAt', 'sendAt', 'sentAt'),
  /** How long it waited for its turn; null before it. */
  waitedMs: messageWait.waitedMs,
};

/** A message as the API returns it. */
export interface MessageRecord extends Omit<SelectResultFields<typeof record>, 'seq'> {
  /** When it was delivered, or if only the read was reported, when it was read. */
  deliveredAt: Date | null;
  readAt: Date | null;
  events: { event: (typeof messageEvents.$inferSelect)['event']; at: Date }[];
}

/** A message of one number; null when there is none or it is another number's. */
export async function findMessageRecord(
  db: Db,
  params: { numberId: string; messageId: string },
): Promise<MessageRecord | null> {
  const rows = await db
    .select(record)
    .from(messages)
    .where(and(eq(messages.id, params.messageId), eq(messages.numberId, params.numberId)));
  const [found] = await withEvents(db, rows);
  return found ?? null;
}

/** A page of messages, narrowed by the given filters. */
export interface MessagePage {
  reference?: string | undefined;
  status?: MessageStatus | undefined;
  to?: Recipient | undefined;
  /** Accepted at or after `since` and before `until`. */
  since?: Date | undefined;
  until?: Date | undefined;
  after: MessageCursor | null;
  limit: number;
}

/** A number's messages after a place in the list, newest first. Each filter has its own index. */
export async function listMessageRecords(
  db: Db,
  params: { numberId: string } & MessagePage,
): Promise<(MessageRecord & { seq: number })[]> {
  const { reference, status, to, since, until, after, limit } = params;
  const rows = await db
    .select(record)
    .from(messages)
    .where(
      and(
        eq(messages.numberId, params.numberId),
        reference === undefined ? undefined : eq(messages.reference, reference),
        status === undefined ? undefined : eq(messages.status, status),
        to === undefined ? undefined : eq(messages.recipient, to),
        since === undefined ? undefined : gte(messages.createdAt, since),
        until === undefined ? undefined : lt(messages.createdAt, until),
        after === null
          ? undefined
          : // The builder compares no rows.
            sql`(${messages.createdAt}, ${messages.seq}) < (${after.createdAt}, ${after.seq})`,
      ),
    )
    .orderBy(desc(messages.createdAt), desc(messages.seq))
    .limit(limit);
  return withEvents(db, rows);
}

type Row = Omit<MessageRecord, 'deliveredAt' | 'readAt' | 'events'> & { seq: number };

async function withEvents(db: Db, rows: Row[]): Promise<(MessageRecord & { seq: number })[]> {
  if (rows.length === 0) return [];
  const found = await db
    .select({ messageId: messageEvents.messageId, event: messageEvents.event, at: messageEvents.at })
    .from(messageEvents)
    .where(
      inArray(
        messageEvents.messageId,
        rows.map(({ id }) => id),
      ),
    )
    .orderBy(asc(messageEvents.id));
  const ofMessage = Map.groupBy(found, ({ messageId }) => messageId);
  return rows.map((row) => {
    const events = (ofMessage.get(row.id) ?? []).map(({ event, at }) => ({ event, at }));
    const first = (wanted: string) => events.find(({ event }) => event === wanted)?.at ?? null;
    return { ...row, deliveredAt: first('delivered') ?? first('read'), readAt: first('read'), events };
  });
}

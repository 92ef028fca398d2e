import { type AnyColumn, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { messages } from '#server/schema/index.ts';

/** Among so many later messages to its recipient, one that repeats a message is looked for. */
export const LATER_MAX = 100;

/** A later message to the same recipient that was sent, and what else it has in common with the first one. */
export interface LaterSent {
  id: string;
  same: 'content' | 'reference';
}

type Compared = Record<'numberId' | 'to' | 'createdAt' | 'seq' | 'status', AnyColumn | SQLWrapper> &
  Record<'content' | 'reference', AnyColumn | SQLWrapper>;

/**
 * The latest message of the next 24 hours that a program sent to the same recipient with the same content or
 * reference, after one that was not sent, or may not have been. The order of those looked at is that of an index.
 */
export const laterSent = (of: Compared): SQL<LaterSent | null> => sql<LaterSent | null>`(
  select json_build_object('id', later.id, 'same', case when later.content = ${of.content} then 'content' else 'reference' end)
  from (select l.id, l.repeats, l.status, l.seq, l.content, l.reference from ${messages} l
    where l.number_id = ${of.numberId} and l.recipient = ${of.to}
      and l.created_at >= ${of.createdAt} and l.created_at < ${of.createdAt} + interval '1 day'
      and ${of.status} in ('failed', 'unknown', 'expired', 'cancelled')
    order by l.created_at, l.seq limit ${LATER_MAX}) later
  where later.seq > ${of.seq} and later.repeats is null and later.status in ('sent', 'delivered', 'read')
    and (later.content = ${of.content} or later.reference = ${of.reference})
  order by coalesce(later.content = ${of.content}, false) desc, later.seq desc limit 1)`;

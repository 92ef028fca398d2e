import { type SQL, sql } from 'drizzle-orm';
import { TURNS_MAX } from '#server/core/pacing/waits.ts';
import { messages } from '#server/schema/index.ts';

const SINCE = sql`greatest(${messages.createdAt}, ${messages.sendAt})`;

export interface MessageWait {
  /** From its acceptance, or its scheduled time, to its turn; null if its turn has not come. */
  waitedMs: number | null;
  /** How many other messages of its number had their turn meanwhile, at most {@link TURNS_MAX}. */
  turnsBefore: number;
  /** From the same time to the turn of the first of them; null without any. */
  firstTurnMs: number | null;
}

const msUntil = (at: SQL | typeof messages.dispatchedAt) =>
  sql<number | null>`(extract(epoch from ${at} - ${SINCE}) * 1000)::float8`;
const OTHERS = sql`from ${messages} o
    where o.number_id = ${messages.numberId} and o.dispatched_at >= ${SINCE} and o.dispatched_at < ${messages.dispatchedAt}`;

/** For a select from `messages` and another table: within it, columns carry the name of their table. */
export const messageWait = {
  waitedMs: msUntil(messages.dispatchedAt),
  turnsBefore: sql<number>`(select count(*)::int from (select ${OTHERS} limit ${TURNS_MAX}) other)`,
  firstTurnMs: sql<number | null>`(select ${msUntil(sql`min(o.dispatched_at)`)} ${OTHERS})`,
};

import { sql } from 'drizzle-orm';
import { bigint, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import type { AlertKind } from '#server/core/alerts.ts';
import { ofAccount } from './accounts.ts';
import { createdAt, instant, publicId } from './columns.ts';
import { numbers } from './numbers.ts';

/** An event that is reported to an account's members and to administrators, once. */
export const alerts = pgTable(
  'alerts',
  {
    id: publicId(),
    /** Names the event, so that only the process that sees it first raises the alert. */
    eventKey: text('event_key').notNull().unique(),
    accountId: ofAccount(),
    numberId: text('number_id').references(() => numbers.id, { onDelete: 'cascade' }),
    kind: text('kind').$type<AlertKind>().notNull(),
    /**
     * A number's: the id of the `number_events` row that last connected it. A later connection ends the incident.
     */
    incident: bigint('incident', { mode: 'number' }),
    /** What its words are made of, in the form that its kind states (`core/alerts.ts`); null if the kind says all. */
    facts: jsonb('facts'),
    /** Of a number that is connected again: how many messages the change of its phone number cancelled; null without one. */
    cancelled: integer('cancelled'),
    happenedAt: instant('happened_at').notNull(),
    /** When the state that it describes ended; null while it lasts. Of an event: when it happened. */
    endedAt: instant('ended_at'),
    createdAt: createdAt(),
  },
  // An account's list, newest first; a number's incidents; and what may have ended.
  (t) => [
    index('alerts_of_account').on(t.accountId, t.createdAt),
    index('alerts_of_number').on(t.numberId, t.incident),
    index('alerts_open').on(t.kind).where(sql`ended_at is null`),
  ],
);

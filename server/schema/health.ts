import { sql } from 'drizzle-orm';
import { index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import type { Recipient } from '#server/core/recipient.ts';
import { instant } from './columns.ts';
import { numbers } from './numbers.ts';

/** What WhatsApp restricts on a number, as its page said it last, and the pause that its refusals led to. */
export const numberHealth = pgTable('number_health', {
  numberId: text('number_id')
    .primaryKey()
    .references(() => numbers.id, { onDelete: 'cascade' }),
  /** WhatsApp's word for the kind; null without a timelock. */
  timelockKind: text('timelock_kind'),
  /** Null while its end is not known. */
  timelockUntil: instant('timelock_until'),
  capStatus: text('cap_status', { enum: ['NONE', 'FIRST_WARNING', 'SECOND_WARNING', 'CAPPED'] }),
  capTotal: integer('cap_total'),
  capUsed: integer('cap_used'),
  capUntil: instant('cap_until'),
  /** What WhatsApp demands to be shown: a passkey or a captcha. */
  checkpoint: text('checkpoint'),
  /** Nobody new is written to until then, because WhatsApp refused several. */
  pauseUntil: instant('pause_until'),
  /** SendThrottle within a week of each other. */
  pauses: integer('pauses').notNull().default(0),
  pausedAt: instant('paused_at'),
  /** WhatsApp is asked about nobody until then, because it refused such questions; and how often in a row. */
  lookUpsUntil: instant('look_ups_until'),
  lookUpRefusals: integer('look_up_refusals').notNull().default(0),
  /** Since when there is a restriction or a pause; null without. */
  restrictedSince: instant('restricted_since'),
  readAt: instant('read_at'),
});

/** The people a number has to do with, as `<digits>@c.us`, and since when: whom it may still write to when restricted. */
export const recipients = pgTable(
  'recipients',
  {
    numberId: text('number_id')
      .notNull()
      .references(() => numbers.id, { onDelete: 'cascade' }),
    recipient: text('recipient').$type<Recipient>().notNull(),
    /** A first message to them was accepted from a caller, and leaves then at the earliest. Counts in the budget. */
    askedAt: instant('asked_at'),
    /** WhatsApp last took a message to them, or they were last known to have written; about a day exact. */
    knownAt: instant('known_at'),
    /** WhatsApp last refused a message to them. */
    refusedAt: instant('refused_at'),
  },
  (t) => [
    primaryKey({ columns: [t.numberId, t.recipient] }),
    // New people of the last 24 hours, and those who wait for their time.
    index('recipients_asked').on(t.numberId, t.askedAt).where(sql`asked_at is not null`),
    // Refusals of the last hour.
    index('recipients_refused').on(t.numberId, t.refusedAt).where(sql`refused_at is not null`),
  ],
);

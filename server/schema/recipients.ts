import { sql } from 'drizzle-orm';
import { index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import type { Recipient } from '#server/core/recipient.ts';
import { instant } from './columns.ts';
import { ofNumber } from './numbers.ts';

/** A number's contacts, as `<digits>@c.us`. While it is restricted it may send to those that it knows. */
export const recipients = pgTable(
  'recipients',
  {
    numberId: ofNumber(),
    recipient: text('recipient').$type<Recipient>().notNull(),
    /** The earliest time of the first message to them, set at its admission. Counts in the budget. */
    askedAt: instant('asked_at'),
    /** When WhatsApp last accepted a message to them, or they last wrote; accurate to about a day. */
    knownAt: instant('known_at'),
    /** When WhatsApp last refused a message to them. */
    refusedAt: instant('refused_at'),
  },
  (t) => [
    primaryKey({ columns: [t.numberId, t.recipient] }),
    // The budget: new contacts of the last 24 hours and those still waiting.
    index('recipients_asked').on(t.numberId, t.askedAt).where(sql`asked_at is not null`),
    // Refusals of the last hour.
    index('recipients_refused').on(t.numberId, t.refusedAt).where(sql`refused_at is not null`),
    // Those without a message for longer than their account keeps messages.
    index('recipients_last').on(t.numberId, sql`greatest(${t.askedAt}, ${t.knownAt})`),
  ],
);

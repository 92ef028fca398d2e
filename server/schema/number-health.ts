import { integer, pgTable, text } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';
import { ofNumber } from './numbers.ts';

/**
 * WhatsApp's restrictions on a number, as its page last reported them, and our pause after WhatsApp's refusals.
 */
export const numberHealth = pgTable('number_health', {
  numberId: ofNumber().primaryKey(),
  /** WhatsApp's word for the kind; null without a timelock. */
  timelockKind: text('timelock_kind'),
  /** Null if its end is not known. */
  timelockUntil: instant('timelock_until'),
  capStatus: text('cap_status', { enum: ['NONE', 'FIRST_WARNING', 'SECOND_WARNING', 'CAPPED'] }),
  capTotal: integer('cap_total'),
  capUsed: integer('cap_used'),
  capUntil: instant('cap_until'),
  /** What WhatsApp demands: a passkey or a captcha. */
  checkpoint: text('checkpoint'),
  /** No messages to new contacts until then, because WhatsApp refused several. */
  pauseUntil: instant('pause_until'),
  /** How many pauses in a row began within a week of the one before. */
  pauses: integer('pauses').notNull().default(0),
  pausedAt: instant('paused_at'),
  /** No look-ups until then, because WhatsApp refused them; and how many refusals in a row. */
  lookUpsUntil: instant('look_ups_until'),
  lookUpRefusals: integer('look_up_refusals').notNull().default(0),
  /** When the restriction or pause began; null if there is none. */
  restrictedSince: instant('restricted_since'),
  readAt: instant('read_at'),
});

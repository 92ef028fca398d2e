import { integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import type { SavedViews } from '#server/core/saved-views.ts';
import { createdAt, instant, publicId } from './columns.ts';

/** A customer: numbers, keys and messages belong to it. */
export const accounts = pgTable('accounts', {
  id: publicId(),
  name: text('name').notNull(),
  suspendedAt: instant('suspended_at'),
  textRetentionDays: integer('text_retention_days').notNull().default(30),
  metadataRetentionDays: integer('metadata_retention_days').notNull().default(90),
  /** Unused: files are deleted with the outcome of their message. The previous version still reads it. */
  mediaRetentionHours: integer('media_retention_hours').notNull().default(24),
  /** Deleted: nobody can open it, and its rows are deleted when its sessions have ended. */
  deletedAt: instant('deleted_at'),
  /** When a member confirmed the risks of linking a real number. */
  riskAcceptedAt: instant('risk_accepted_at'),
  /** IANA name; its members' days begin and end in it. Null: the installation's. */
  timeZone: text('time_zone'),
  /** The time zone of the hours and days in `message_counts`; null before the first count. */
  countsTimeZone: text('counts_time_zone'),
  /** When its counts were last compared with all its messages; null while they are counted. */
  countedAt: instant('counted_at'),
  /** Messages from before this may have been deleted under an earlier setting; null if it never changed. */
  messagesHeldFrom: instant('messages_held_from'),
  /** Saved filters of its lists, for all members. */
  savedViews: jsonb('saved_views').$type<SavedViews>().notNull().default({}),
  createdAt: createdAt(),
});

/** The account that a row belongs to. The row is deleted with it. */
export const ofAccount = () =>
  text('account_id')
    .notNull()
    .references(() => accounts.id, { onDelete: 'cascade' });

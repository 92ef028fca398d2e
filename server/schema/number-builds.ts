import { boolean, pgTable, text } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';
import { ofNumber } from './numbers.ts';

/** The build of WhatsApp Web that a number's session runs, or ran last. */
export const numberBuilds = pgTable('number_builds', {
  numberId: ofNumber().primaryKey(),
  version: text('version').notNull(),
  /** It started from the kept document, not from what the site serves. */
  kept: boolean('kept').notNull(),
  since: instant('since').notNull(),
});

import { jsonb, pgTable } from 'drizzle-orm/pg-core';
import type { PageCheck } from '#server/core/page-check.ts';
import { instant } from './columns.ts';
import { ofNumber } from './numbers.ts';

/** The last self-test of a number's page that an operator asked for. A trigger notifies both of each change. */
export const numberChecks = pgTable('number_checks', {
  numberId: ofNumber().primaryKey(),
  askedAt: instant('asked_at').notNull(),
  /** Null while the worker has not answered. */
  answeredAt: instant('answered_at'),
  /** Null if it could not be run. */
  result: jsonb('result').$type<PageCheck>(),
});
